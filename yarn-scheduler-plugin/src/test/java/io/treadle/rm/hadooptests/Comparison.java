// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import io.treadle.rm.hadooptests.Finding.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One test class on both schedulers. A test that fails is repeated on both, because some fail now and then. */
record Comparison(OwnTest test, TestReport stock, TestReport ours, List<Finding> findings) {
    /** So many failing tests of a class are no accident. */
    private static final int MOST_REPEATED = 4;

    Comparison {
        findings = List.copyOf(findings);
    }

    static Comparison of(TestJvm jvm, OwnTest test, KnownDifferences known) throws IOException, InterruptedException {
        TestReport stock = jvm.run(test.className(), Target.STOCK, test.name() + "/stock", List.of());
        TestReport ours = jvm.run(test.className(), Target.OURS, test.name() + "/ours", List.of());
        List<Finding> findings = new ArrayList<>();
        if (stock.count(Outcome.PASSED) == 0) {
            findings.add(finding(known, test.name(), Verdict.WORSE, "nothing passes on stock, which compares nothing"));
        }
        if (test.meetsScheduler() && ours.redirected() == 0) {
            findings.add(finding(known, test.name(), Verdict.WORSE, "no test of it met TreadleScheduler"));
        }
        Set<String> all = new LinkedHashSet<>(stock.tests().keySet());
        all.addAll(ours.tests().keySet());
        List<String> failing =
                all.stream().filter(id -> differs(stock, ours, id)).toList();
        for (String id : failing) {
            String name = test.name() + "." + TestIds.method(id);
            if (failing.size() > MOST_REPEATED || !stock.tests().containsKey(id)) {
                Verdict verdict =
                        stock.passed(id) ? Verdict.WORSE : ours.passed(id) ? Verdict.BETTER : Verdict.AS_ON_STOCK;
                findings.add(finding(known, name, verdict, said(stock, ours, id)));
                continue;
            }
            Repeated repeated = Repeated.of(jvm, test, id, stock.passed(id), ours.passed(id));
            findings.add(finding(known, name, verdict(repeated), said(stock, ours, id) + "; " + repeated));
        }
        return new Comparison(test, stock, ours, findings);
    }

    private static boolean differs(TestReport stock, TestReport ours, String id) {
        return stock.tests().get(id) != Outcome.SKIPPED && !(stock.passed(id) && ours.passed(id));
    }

    private static Verdict verdict(Repeated repeated) {
        if (repeated.isWorse()) {
            return Verdict.WORSE;
        }
        return repeated.oursPassed() == 0
                ? Verdict.AS_ON_STOCK
                : repeated.stockPassed() == 0 ? Verdict.BETTER : Verdict.NOW_AND_THEN;
    }

    private static Finding finding(KnownDifferences known, String name, Verdict verdict, String text) {
        return known.reason(name)
                .filter(reason -> verdict == Verdict.WORSE)
                .map(reason -> new Finding(name, Verdict.LISTED, reason + " (" + text + ")"))
                .orElseGet(() -> new Finding(name, verdict, text));
    }

    private static String said(TestReport stock, TestReport ours, String id) {
        String onStock = stock.passed(id) ? "" : stock.firstLine(id);
        String onOurs = ours.passed(id) ? "" : ours.firstLine(id);
        if (onStock.equals(onOurs)) {
            return onStock;
        }
        return onStock.isEmpty() ? onOurs : onOurs.isEmpty() ? onStock : "stock: " + onStock + "; ours: " + onOurs;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One test class on both schedulers. A test that fails on ours is repeated on both, because some of Hadoop's fail now and
 * then on a busy machine.
 *
 * @param lines for the table
 * @param worse what is worse on ours; empty where nothing is
 */
record Comparison(List<String> lines, List<String> worse) {
    static final String HEADER = String.format(
            Locale.ROOT,
            "%-42s  %-9s  %-9s  %10s  %8s  %8s",
            "passed of Hadoop's own tests",
            "stock",
            "ours",
            "redirected",
            "stock s",
            "ours s");
    private static final int REPEATS = 5;
    /** So many failing tests of a class are no accident. */
    private static final int MOST_REPEATED = 3;

    static Comparison of(TestJvm jvm, String testClass) throws IOException, InterruptedException {
        String name = testClass.substring(testClass.lastIndexOf('.') + 1);
        TestReport stock = jvm.run(testClass, Target.STOCK, name + "/stock", List.of());
        TestReport ours = jvm.run(testClass, Target.OURS, name + "/ours", List.of());
        List<String> lines = new ArrayList<>();
        List<String> worse = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%-42s  %-9s  %-9s  %10s  %8d  %8d",
                name,
                counts(stock),
                counts(ours),
                ours.redirected().map(String::valueOf).orElse("died"),
                stock.took().toSeconds(),
                ours.took().toSeconds()));
        if (stock.tests().isEmpty()
                || stock.count(Outcome.PASSED) * 2 < stock.tests().size()) {
            worse.add(name + ": " + counts(stock) + " tests pass on stock, which compares too little");
        }
        if (ours.redirected().orElse(0) == 0) {
            worse.add(name + ": its JVM died, or no test met TreadleScheduler");
        }
        stock.tests().forEach((id, outcome) -> {
            if (outcome == Outcome.FAILED) {
                lines.add("  fails on stock: " + method(id) + ": " + stock.firstLine(id));
            }
        });
        List<String> failing = stock.tests().keySet().stream()
                .filter(id -> stock.tests().get(id) != Outcome.SKIPPED && !ours.passed(id))
                .toList();
        for (String id : failing) {
            lines.add("  fails on ours: " + method(id) + ": " + ours.firstLine(id));
            if (failing.size() > MOST_REPEATED) {
                if (stock.passed(id)) {
                    worse.add(name + "." + method(id));
                }
                continue;
            }
            Repeated repeated = Repeated.of(jvm, testClass, name, id, stock.passed(id), ours.passed(id));
            lines.add("    " + repeated);
            if (repeated.isWorse()) {
                worse.add(name + "." + method(id));
            }
        }
        return new Comparison(List.copyOf(lines), List.copyOf(worse));
    }

    private static String counts(TestReport report) {
        return report.count(Outcome.PASSED) + " of " + report.tests().size();
    }

    /** The method in a test's id, {@code [engine:…]/[class:…]/[method:name()]}. */
    private static String method(String id) {
        return id.substring(id.lastIndexOf(':') + 1, id.length() - 1);
    }

    /** How often one test passed, its first run counted. */
    record Repeated(int stockPassed, int oursPassed) {
        private static final int RUNS = 1 + REPEATS;

        static Repeated of(TestJvm jvm, String testClass, String name, String id, boolean stockFirst, boolean oursFirst)
                throws IOException, InterruptedException {
            int stock = stockFirst ? 1 : 0;
            int ours = oursFirst ? 1 : 0;
            for (int i = 1; i <= REPEATS; i++) {
                String run = name + "/" + method(id).replaceAll("\\W", "") + "-" + i;
                stock += jvm.run(testClass, Target.STOCK, run + "-stock", List.of(id))
                                .passed(id)
                        ? 1
                        : 0;
                ours += jvm.run(testClass, Target.OURS, run + "-ours", List.of(id))
                                .passed(id)
                        ? 1
                        : 0;
            }
            return new Repeated(stock, ours);
        }

        /** A test that fails once on ours and in no repetition is as good as on stock. */
        boolean isWorse() {
            return oursPassed < stockPassed - 1;
        }

        @Override
        public String toString() {
            return "alone and repeated, of " + RUNS + " runs: stock passed " + stockPassed + ", ours " + oursPassed;
        }
    }
}

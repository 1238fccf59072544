// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One test class on both schedulers. A test that passes on stock and not on ours is repeated on both: it counts as worse
 * unless ours passes every time, or stock fails sometimes and ours passes sometimes.
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
                || stock.count(Outcome.FAILED) * 10 > stock.tests().size()) {
            worse.add(name + ": " + counts(stock) + " tests pass on stock, which compares too little");
        }
        if (ours.redirected().orElse(0) == 0) {
            worse.add(name + ": its JVM died, or no test met TreadleScheduler");
        }
        for (String id : stock.tests().keySet()) {
            if (stock.passed(id) && !ours.passed(id)) {
                lines.add("  only on ours: " + method(id) + ": " + ours.firstLine(id));
                Repeated repeated = Repeated.of(jvm, testClass, name, id);
                lines.add("    repeated: " + repeated);
                if (repeated.isWorse()) {
                    worse.add(name + "." + method(id));
                }
            } else if (!stock.passed(id)) {
                lines.add("  not on stock: " + method(id) + ": " + stock.firstLine(id));
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

    private record Repeated(int stockPassed, int oursPassed) {
        static Repeated of(TestJvm jvm, String testClass, String name, String id)
                throws IOException, InterruptedException {
            int stock = 0;
            int ours = 0;
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

        boolean isWorse() {
            return oursPassed < REPEATS && (stockPassed == REPEATS || oursPassed == 0);
        }

        @Override
        public String toString() {
            return "stock passed " + stockPassed + ", ours " + oursPassed + " of " + REPEATS + " times";
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import java.io.IOException;
import java.util.List;

/**
 * How often one test passed alone, its first run (with its class) counted. Some of Hadoop's tests fail now and then on a busy
 * machine, on stock too.
 *
 * @param runs on each scheduler
 */
record Repeated(int runs, int stockPassed, int oursPassed) {
    private static final int MOST = 6;
    /** A test that passed nowhere in so many runs is not run again. */
    private static final int ENOUGH = 3;

    static Repeated of(TestJvm jvm, OwnTest test, String id, boolean stockFirst, boolean oursFirst)
            throws IOException, InterruptedException {
        int stock = stockFirst ? 1 : 0;
        int ours = oursFirst ? 1 : 0;
        int runs = 1;
        while (runs < MOST && (runs < ENOUGH || stock + ours > 0)) {
            String run = test.name() + "/" + TestIds.method(id).replaceAll("\\W", "-") + "-" + runs;
            stock += passes(jvm, test, Target.STOCK, run, id) ? 1 : 0;
            ours += passes(jvm, test, Target.OURS, run, id) ? 1 : 0;
            runs++;
        }
        return new Repeated(runs, stock, ours);
    }

    private static boolean passes(TestJvm jvm, OwnTest test, Target target, String run, String id)
            throws IOException, InterruptedException {
        return jvm.run(test.className(), target, run + "-" + target.label(), List.of(id))
                .passed(id);
    }

    /** A test that fails once on ours and in no repetition is as good as on stock. */
    boolean isWorse() {
        return oursPassed < stockPassed - 1;
    }

    @Override
    public String toString() {
        return stockPassed + oursPassed == 0
                ? "never passes, neither on stock nor on ours (" + runs + " runs each)"
                : "of " + runs + " runs each, all but the first alone, stock passed " + stockPassed + ", ours "
                        + oursPassed;
    }
}

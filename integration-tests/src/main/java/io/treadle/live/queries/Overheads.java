// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import io.treadle.demo.DemoException;
import java.net.http.HttpRequest;
import java.util.Arrays;

/**
 * What queries take beside their tasks, measured where tasks do nothing and nothing waits.
 *
 * @param queryMs of a query of one task: to the service and back over HTTP, to a worker and back
 * @param handOverMs from the end of a task to the start of the next: to the master and back, or on to another worker
 */
record Overheads(double queryMs, double handOverMs) {
    private static final int WARM_UP = 200;
    private static final int TIMES = 200;

    /** @param profile of before or after, for how long a task that does nothing runs */
    static Overheads measure(HttpQueries queries, ServiceProfile profile) {
        double one = median(queries, new BenchWorkflow(ServiceTexts.NOTHING, 1, 1));
        double chain = median(queries, new BenchWorkflow(ServiceTexts.CHAIN, 1, 1));
        ServiceProfile.Runs nothing = profile.tasks().get(ServiceTexts.NOTHING + "/t0");
        double runMs = nothing == null ? 0 : nothing.meanMs();
        return of(one, chain, runMs);
    }

    /**
     * @param oneMs of a query of one task
     * @param chainMs of one of {@link ServiceTexts#CHAINED} tasks in a row
     * @param runMs of a task
     */
    static Overheads of(double oneMs, double chainMs, double runMs) {
        double each = (chainMs - oneMs) / (ServiceTexts.CHAINED - 1);
        return new Overheads(Math.max(0, oneMs - runMs), Math.max(0, each - runMs));
    }

    private static double median(HttpQueries queries, BenchWorkflow workflow) {
        HttpRequest request = queries.request(workflow);
        double[] took = new double[TIMES];
        for (int i = -WARM_UP; i < TIMES; i++) {
            long begun = System.nanoTime();
            String wrong = queries.ask(workflow, request).join();
            if (!wrong.isEmpty()) {
                throw new DemoException("workflow '" + workflow.name() + "' was not answered: " + wrong);
            }
            took[Math.max(0, i)] = (System.nanoTime() - begun) / 1e6;
        }
        Arrays.sort(took);
        return took[TIMES / 2];
    }
}

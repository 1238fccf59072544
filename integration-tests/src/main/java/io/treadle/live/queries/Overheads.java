// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import io.treadle.demo.DemoException;
import java.net.http.HttpRequest;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * What queries take beside their tasks, measured where tasks do nothing and nothing waits.
 *
 * @param queryMs of a query of one task: to the service and back over HTTP, to a worker and back
 * @param handOverMs from the end of a task to the start of the next: to the master and back, or on to another worker
 */
record Overheads(double queryMs, double handOverMs) {
    private static final int TIMES = 200;

    /** Asks for a while first: what is compiled while it is measured would be slower at first. */
    static Overheads measure(HttpQueries queries, Supplier<ServiceProfile> profile) {
        BenchWorkflow one = new BenchWorkflow(ServiceTexts.NOTHING, 1, 1);
        BenchWorkflow chain = new BenchWorkflow(ServiceTexts.CHAIN, 1, 1);
        median(queries, one);
        median(queries, chain);
        ServiceProfile warm = profile.get();
        double oneMs = median(queries, one);
        double chainMs = median(queries, chain);
        return of(oneMs, chainMs, runMs(profile.get().since(warm)));
    }

    /** Of the tasks of a chain, on average. */
    private static double runMs(ServiceProfile profile) {
        return profile.tasks().entrySet().stream()
                .filter(task -> task.getKey().startsWith(ServiceTexts.CHAIN + "/"))
                .mapToDouble(task -> task.getValue().meanMs())
                .average()
                .orElse(0);
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
        for (int i = 0; i < TIMES; i++) {
            long begun = System.nanoTime();
            String wrong = queries.ask(workflow, request).join();
            if (!wrong.isEmpty()) {
                throw new DemoException("workflow '" + workflow.name() + "' was not answered: " + wrong);
            }
            took[i] = (System.nanoTime() - begun) / 1e6;
        }
        Arrays.sort(took);
        return took[TIMES / 2];
    }
}

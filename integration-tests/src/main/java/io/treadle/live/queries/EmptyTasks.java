// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import io.treadle.cluster.EmbeddedCluster;
import io.treadle.demo.DemoException;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many tasks that do nothing a service runs.
 *
 * @param clients each asks its next query when it has its answer
 * @param seconds that are measured, after the warm-up
 */
record EmptyTasks(int clients, double warmUpSeconds, double seconds) {
    /** @return tasks a second */
    double run(EmbeddedCluster cluster, Path directory) throws InterruptedException {
        try (RunningService service = RunningService.start(cluster, ServiceTexts.empty(directory))) {
            HttpQueries queries = new HttpQueries(service.address());
            return run(queries) * ServiceTexts.EMPTY_TASKS;
        }
    }

    private double run(HttpQueries queries) throws InterruptedException {
        HttpRequest request = queries.request(ServiceTexts.EMPTY);
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicLong answered = new AtomicLong();
        AtomicLong wrong = new AtomicLong();
        List<CompletableFuture<?>> ends = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            CompletableFuture<Void> end = new CompletableFuture<>();
            ends.add(end);
            next(queries, request, isOver, answered, wrong, end);
        }
        sleep(warmUpSeconds);
        long before = answered.get();
        long begun = System.nanoTime();
        sleep(seconds);
        double took = (System.nanoTime() - begun) / 1e9;
        double perSecond = (answered.get() - before) / took;
        isOver.set(true);
        CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
        if (wrong.get() > 0) {
            throw new DemoException(wrong.get() + " queries of empty tasks were not answered, or wrongly");
        }
        return perSecond;
    }

    private static void sleep(double seconds) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(Math.round(1e3 * seconds));
    }

    private static void next(
            HttpQueries queries,
            HttpRequest request,
            AtomicBoolean isOver,
            AtomicLong answered,
            AtomicLong wrong,
            CompletableFuture<Void> end) {
        CompletableFuture<?> unused = queries.ask(ServiceTexts.EMPTY, request).thenAcceptAsync(right -> {
            answered.incrementAndGet();
            if (!right) {
                wrong.incrementAndGet();
            }
            if (isOver.get() || !right) {
                end.complete(null);
            } else {
                next(queries, request, isOver, answered, wrong, end);
            }
        });
    }
}

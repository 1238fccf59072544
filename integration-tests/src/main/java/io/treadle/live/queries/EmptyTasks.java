// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import io.treadle.cluster.EmbeddedCluster;
import io.treadle.demo.DemoException;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
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
        Queue<String> wrong = new ConcurrentLinkedQueue<>();
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
        if (!wrong.isEmpty()) {
            throw new DemoException("a query of empty tasks was not answered, or wrongly: " + wrong.element());
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
            Queue<String> wrong,
            CompletableFuture<Void> end) {
        CompletableFuture<?> unused = queries.ask(ServiceTexts.EMPTY, request).thenAcceptAsync(answer -> {
            answered.incrementAndGet();
            if (!answer.isEmpty()) {
                wrong.add(answer);
            }
            if (isOver.get() || !answer.isEmpty()) {
                end.complete(null);
            } else {
                next(queries, request, isOver, answered, wrong, end);
            }
        });
    }
}

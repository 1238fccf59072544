// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import io.treadle.demo.DemoException;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Asks when queries are to come, whatever became of those before them: a slow service does not get fewer of them. */
final class OpenLoad {
    private static final double NANOS_A_MS = 1e6;

    /**
     * What came of it.
     *
     * @param latenciesMs of each query from the moment when it was to come
     * @param then what was done beside it
     */
    record Answered<T>(List<Double> latenciesMs, T then) {
        Answered {
            latenciesMs = List.copyOf(latenciesMs);
        }
    }

    private OpenLoad() {}

    /**
     * Waits for all answers.
     *
     * @param atMs when to do something else
     * @param then that, on another thread
     * @throws DemoException if an answer fails or is wrong
     */
    static <T> Answered<T> run(HttpQueries queries, List<Arrival> arrivals, double atMs, Supplier<T> then)
            throws InterruptedException {
        // Made before the clock runs: what the load costs must not look like the service's.
        List<HttpRequest> requests = arrivals.stream()
                .map(arrival -> queries.request(arrival.workflow()))
                .toList();
        double[] latencies = new double[arrivals.size()];
        List<CompletableFuture<String>> answers = new ArrayList<>();
        long begun = System.nanoTime();
        CompletableFuture<T> other = CompletableFuture.supplyAsync(
                then, CompletableFuture.delayedExecutor(Math.round(atMs), TimeUnit.MILLISECONDS));
        for (int i = 0; i < latencies.length; i++) {
            int place = i;
            Arrival arrival = arrivals.get(i);
            long due = begun + Math.round(arrival.atMs() * NANOS_A_MS);
            sleepUntil(due);
            answers.add(queries.ask(arrival.workflow(), requests.get(i))
                    .whenComplete((wrong, failure) -> latencies[place] = (System.nanoTime() - due) / NANOS_A_MS));
        }
        List<String> wrong = answers.stream()
                .map(CompletableFuture::join)
                .filter(answer -> !answer.isEmpty())
                .toList();
        if (!wrong.isEmpty()) {
            throw new DemoException(wrong.size() + " of " + answers.size()
                    + " queries were not answered, or wrongly; the first: " + wrong.get(0));
        }
        return new Answered<>(Arrays.stream(latencies).boxed().toList(), other.join());
    }

    private static void sleepUntil(long nanos) throws InterruptedException {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            LockSupport.parkNanos(left);
        }
    }
}

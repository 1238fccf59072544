// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks a service. An open loop: queries are sent when they are to come, whatever became of those before them, as those of many
 * users would be; a slow service does not get fewer of them.
 */
public final class QueryLoad {
    /** The longest that the service takes. */
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    /** Beyond the deadline, so that the service may say that it has passed. */
    private static final Duration PATIENCE = DEADLINE.plusSeconds(10);

    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final long TELL_MS = 500;
    private static final double NANOS_PER_MS = 1e6;

    private final HttpClient client = HttpClient.newBuilder()
            // The service speaks no other, and need not be asked first.
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();
    private final URI service;
    private final String secret;
    private final Digits images;
    private final List<Arrival> arrivals;
    private final Consumer<LoadProgress> progress;
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private long begun;
    private double toldMs;

    private QueryLoad(
            URI service, String secret, List<Arrival> arrivals, Digits images, Consumer<LoadProgress> progress) {
        this.service = service;
        this.secret = secret;
        this.arrivals = arrivals;
        this.images = images;
        this.progress = progress;
    }

    /**
     * Sends queries, and waits for all answers.
     *
     * @param service where {@code /v2} is, such as {@code http://HOST:PORT}
     * @param secret of one of its users
     * @param images what the arrivals' numbers of images are of
     * @param progress is told about twice a second, on the thread that calls: it must not be kept
     * @return in the order of the arrivals, one for each
     */
    public static List<Answered> run(
            URI service, String secret, List<Arrival> arrivals, Digits images, Consumer<LoadProgress> progress)
            throws InterruptedException {
        return new QueryLoad(service, secret, arrivals, images, progress).run();
    }

    private List<Answered> run() throws InterruptedException {
        // Made before the clock runs: what the load costs must not look like the service's.
        List<HttpRequest> requests = arrivals.stream().map(this::request).toList();
        List<CompletableFuture<Answered>> answers = new ArrayList<>();
        begun = System.nanoTime();
        try {
            for (int i = 0; i < requests.size(); i++) {
                sleepUntil(arrivals.get(i).atMs(), i);
                answers.add(send(arrivals.get(i), requests.get(i)));
            }
            await(answers);
        } catch (InterruptedException e) {
            answers.forEach(answer -> answer.cancel(true));
            throw e;
        }
        tell(requests.size());
        return answers.stream().map(CompletableFuture::join).toList();
    }

    private HttpRequest request(Arrival arrival) {
        return HttpRequest.newBuilder(
                        service.resolve("/v2/models/" + arrival.workflow().workflow() + "/infer"))
                .timeout(PATIENCE)
                .header("Authorization", "Bearer " + secret)
                .header("Content-Type", "application/json")
                .header("X-Deadline-Ms", String.valueOf(DEADLINE.toMillis()))
                .POST(HttpRequest.BodyPublishers.ofByteArray(QueryBody.of(arrival, images)))
                .build();
    }

    private void sleepUntil(double atMs, int sent) throws InterruptedException {
        for (double left = atMs - sinceBegunMs(); left > 0; left = atMs - sinceBegunMs()) {
            TimeUnit.NANOSECONDS.sleep((long) (Math.min(left, TELL_MS) * NANOS_PER_MS));
            if (sinceBegunMs() - toldMs >= TELL_MS) {
                tell(sent);
            }
        }
    }

    private CompletableFuture<Answered> send(Arrival arrival, HttpRequest request) {
        return once(request)
                .exceptionallyCompose(
                        failure -> isLost(failure) ? once(request) : CompletableFuture.failedFuture(failure))
                .handle((response, failure) -> answered(arrival, response));
    }

    private CompletableFuture<HttpResponse<byte[]>> once(HttpRequest request) {
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray());
    }

    /** Whether it may be asked again: a server may close a connection that is kept just when a query takes it. */
    private static boolean isLost(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof IOException && !(cause instanceof HttpTimeoutException);
    }

    /** @param response null where there is none */
    private Answered answered(Arrival arrival, @Nullable HttpResponse<byte[]> response) {
        double latencyMs = sinceBegunMs() - arrival.atMs();
        int status = response == null ? 0 : response.statusCode();
        OptionalLong number = response == null
                ? OptionalLong.empty()
                : QueryBody.number(response.body(), arrival.workflow().output());
        int expected = arrival.workflow().expected(images.label(arrival.image()));
        Answered answer = new Answered(
                arrival.atMs(),
                latencyMs,
                arrival.workflow().workflow(),
                status,
                number.isPresent() && number.getAsLong() == expected);
        failed.addAndGet(answer.succeeded() ? 0 : 1);
        answered.incrementAndGet();
        return answer;
    }

    private void await(List<CompletableFuture<Answered>> answers) throws InterruptedException {
        CompletableFuture<Void> all = CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
        while (!all.isDone()) {
            try {
                all.get(TELL_MS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                tell(answers.size());
            } catch (ExecutionException e) {
                throw new IllegalStateException("an answer that fails must be one that says so", e);
            }
        }
    }

    private void tell(int sent) {
        toldMs = sinceBegunMs();
        progress.accept(new LoadProgress(
                sinceBegunMs() / TimeUnit.SECONDS.toMillis(1), sent, answered.get(), failed.get(), arrivals.size()));
    }

    private double sinceBegunMs() {
        return (System.nanoTime() - begun) / NANOS_PER_MS;
    }
}

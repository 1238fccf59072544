// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks a service over HTTP (docs/spec/query-http.md); connections are kept. */
final class HttpQueries {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final Pattern NUMBER = Pattern.compile("\"data\":\\[(-?[0-9.]+)\\]");
    /** What is asked. */
    private static final float X = 3;

    private final HttpClient client = HttpClient.newBuilder()
            // The service speaks no other, and need not be asked first.
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final URI service;
    private final AtomicLong asked = new AtomicLong();

    HttpQueries(URI service) {
        this.service = service;
    }

    /** How many have been asked; the service counts them too, and names each by its number. */
    long asked() {
        return asked.get();
    }

    HttpRequest request(BenchWorkflow workflow) {
        String body = "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":[1,1],\"data\":[" + X + "]}]}";
        return HttpRequest.newBuilder(service.resolve("/v2/models/" + workflow.name() + "/infer"))
                .timeout(DEADLINE.plusSeconds(10))
                .header("Authorization", "Bearer " + RunningService.SECRET)
                .header("X-Deadline-Ms", Long.toString(DEADLINE.toMillis()))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    /** @return what is wrong with the answer; empty where it is right */
    CompletableFuture<String> ask(BenchWorkflow workflow, HttpRequest request) {
        return once(request)
                .exceptionallyCompose(
                        failure -> isLost(failure) ? once(request) : CompletableFuture.failedFuture(failure))
                .handle((response, failure) -> {
                    if (failure != null) {
                        return "no answer: " + failure;
                    }
                    return response.statusCode() == 200 && isRight(response.body(), X * workflow.answer())
                            ? ""
                            : response.statusCode() + " " + response.body();
                });
    }

    private CompletableFuture<HttpResponse<String>> once(HttpRequest request) {
        asked.incrementAndGet();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    /** Whether it may be asked again: a server may close a connection that is kept just when a query takes it. */
    private static boolean isLost(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof IOException && !(cause instanceof HttpTimeoutException);
    }

    private static boolean isRight(String body, double expected) {
        Matcher number = NUMBER.matcher(body);
        return number.find() && Math.abs(Double.parseDouble(number.group(1)) - expected) < 1e-3;
    }
}

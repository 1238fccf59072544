// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Asks a service over HTTP (docs/spec/query-http.md), again and again until the deadline where it says that this helps, or
 * where nobody answers: an ApplicationMaster that is started again is soon there, perhaps on another host. A query changes
 * nothing, so that one which was lost on its way may come twice.
 */
final class InferClient {
    /** Of the protocol; a query must be below it, and need not be sent to be refused. */
    static final int MOST_BYTES = 16 << 20;

    private static final ObjectMapper MAPPER = new ObjectMapper();
    /** The service's own word that the deadline has passed says more than silence does. */
    private static final long GRACE_MS = 2000;

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final int SHOWN = 300;

    /** What passes between two attempts. */
    interface Time {
        Time SYSTEM = new Time() {
            @Override
            public long nowMs() {
                return System.nanoTime() / 1_000_000;
            }

            @Override
            public void sleep(long ms) throws InterruptedException {
                Thread.sleep(ms);
            }
        };

        /** Since some moment. */
        long nowMs();

        void sleep(long ms) throws InterruptedException;
    }

    private final Supplier<Endpoint> finding;
    private final Time time;
    private final long deadlineMs;
    private final boolean retries;
    private final Consumer<String> waiting;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            // A redirect would carry the secret elsewhere.
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT)
            .build();

    private @Nullable Endpoint endpoint;

    /**
     * @param finding is asked for the address again after it did not answer
     * @param deadlineMs how long an answer may take, attempts and what is between them together
     * @param waiting told why, when a first attempt did not succeed and another follows
     */
    InferClient(Supplier<Endpoint> finding, Time time, long deadlineMs, boolean retries, Consumer<String> waiting) {
        this.finding = finding;
        this.time = time;
        this.deadlineMs = deadlineMs;
        this.retries = retries;
        this.waiting = waiting;
    }

    /**
     * @return the answer's body, a JSON object
     * @throws ClientException if the service refuses
     * @throws UnansweredException if it fails, or cannot answer within the deadline
     */
    byte[] get(String path) throws InterruptedException {
        return ask(path, Optional.empty());
    }

    /** As {@link #get}, with a query. */
    byte[] post(String path, byte[] query) throws InterruptedException {
        return ask(path, Optional.of(query));
    }

    /** @throws ClientException if the body is none */
    static JsonNode json(byte[] body) {
        try {
            JsonNode json = MAPPER.readTree(body);
            if (json != null && json.isObject()) {
                return json;
            }
        } catch (IOException e) {
            // What there is instead is said below.
        }
        throw new ClientException("the answer is '" + shown(body)
                + "', must be a JSON object.\nMaybe something else than a service of Treadle answers there.");
    }

    private byte[] ask(String path, Optional<byte[]> query) throws InterruptedException {
        long endMs = time.nowMs() + deadlineMs;
        boolean isFirst = true;
        while (true) {
            try {
                long beforeMs = time.nowMs();
                Endpoint at = endpoint();
                // YARN's time is not the service's.
                endMs += time.nowMs() - beforeMs;
                return send(at, path, query, endMs);
            } catch (UnansweredException e) {
                if (!retries || e.againAfterMs() == UnansweredException.NEVER) {
                    throw e;
                }
                if (time.nowMs() + e.againAfterMs() >= endMs) {
                    throw new UnansweredException(
                            "there is no answer within " + deadlineMs + " ms: " + e.getMessage(),
                            UnansweredException.NEVER);
                }
                if (isFirst) {
                    waiting.accept(e.getMessage());
                    isFirst = false;
                }
                time.sleep(e.againAfterMs());
            }
        }
    }

    private Endpoint endpoint() {
        if (endpoint == null) {
            endpoint = finding.get();
        }
        return endpoint;
    }

    private byte[] send(Endpoint at, String path, Optional<byte[]> query, long endMs) throws InterruptedException {
        long leftMs = Math.max(1, endMs - time.nowMs());
        HttpRequest.Builder request = HttpRequest.newBuilder(at.page(path))
                .header("Authorization", "Bearer " + at.secret())
                .header("Accept", "application/json");
        query.ifPresent(body -> request.header("Content-Type", "application/json")
                .header("X-Deadline-Ms", Long.toString(leftMs))
                .POST(BodyPublishers.ofByteArray(body)));
        CompletableFuture<HttpResponse<byte[]>> answer = http.sendAsync(request.build(), BodyHandlers.ofByteArray());
        try {
            HttpResponse<byte[]> response = answer.get(leftMs + GRACE_MS, TimeUnit.MILLISECONDS);
            if (response.statusCode() == 200) {
                return response.body();
            }
            throw refusal(response);
        } catch (TimeoutException e) {
            throw late("the service at " + at + " says nothing");
        } catch (ExecutionException e) {
            throw lost(at, e.getCause() == null ? e : e.getCause());
        } finally {
            answer.cancel(true);
        }
    }

    private RuntimeException lost(Endpoint at, Throwable cause) {
        endpoint = null;
        if (cause instanceof SSLException) {
            return new ClientException(
                    "the service at " + at + " cannot be trusted: " + Causes.message(cause)
                            + "\nMaybe it is at http:// instead, or its certificate is none that this Java knows.",
                    cause);
        }
        if (isUnknownHost(cause)) {
            return new ClientException("the host of " + at + " is not known here", cause);
        }
        return new UnansweredException(
                "nobody answers at " + at + ": " + Causes.message(cause), UnansweredException.SOON_MS);
    }

    private static boolean isUnknownHost(Throwable error) {
        for (@Nullable Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException) {
                return true;
            }
        }
        return false;
    }

    private RuntimeException refusal(HttpResponse<byte[]> response) {
        int status = response.statusCode();
        String said = " (" + status + "): " + error(response.body());
        return switch (status) {
            case 401 ->
                new ClientException("the service does not know the caller" + said
                        + ".\nMaybe --secret-file with the file that holds the secret of one of its users.");
            case 429, 503 -> {
                // Another ingress may have room.
                endpoint = null;
                yield new UnansweredException(
                        (status == 429 ? "the service is too busy" : "the service cannot answer") + said,
                        againAfterMs(response));
            }
            case 504 -> late("the service took too long" + said);
            default ->
                status >= 500
                        ? new UnansweredException("the service failed" + said, UnansweredException.NEVER)
                        : new ClientException("the service refuses" + said);
        };
    }

    private UnansweredException late(String message) {
        return new UnansweredException(
                message + ".\nMaybe a longer --deadline-ms than " + deadlineMs + ".", UnansweredException.NEVER);
    }

    /** Who does not say when, may well be somebody between us and the service, and is not asked again. */
    private static long againAfterMs(HttpResponse<byte[]> response) {
        String given = response.headers().firstValue("Retry-After").orElse("");
        return given.matches("[0-9]{1,6}")
                ? Math.max(UnansweredException.SOON_MS, 1000 * Long.parseLong(given))
                : UnansweredException.NEVER;
    }

    /** The service's own words, else what came instead. */
    private static String error(byte[] body) {
        try {
            JsonNode json = MAPPER.readTree(body);
            if (json != null && json.path("error").isTextual()) {
                return json.path("error").asText();
            }
        } catch (JsonProcessingException e) {
            return "'" + shown(body) + "'";
        } catch (IOException e) {
            throw new IllegalStateException("bytes can always be read", e);
        }
        return "'" + shown(body) + "'";
    }

    private static String shown(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8).strip();
        return text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the active ResourceManager's web services as the user who runs this. Where there are several ResourceManagers,
 * the one that answered last is asked first. For one thread at a time.
 */
final class ResourceManagerRest {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceManagerRest.class);

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String TREADLE = "/ws/v1/treadle/";
    private static final int MAX_BYTES = 64 << 20;
    private static final int TIMEOUT_MS = 30_000;
    /** Where another ResourceManager can be asked instead. */
    private static final int SHORT_CONNECT_MS = 5_000;

    private static final int MOST_REDIRECTS = 3;
    private static final int TEMPORARY_REDIRECT = 307;

    private final Configuration conf;
    private final WebConnections connections;
    private int first;

    ResourceManagerRest(Configuration conf, WebConnections connections) {
        this.conf = conf;
        this.connections = connections;
    }

    /**
     * What a ResourceManager answers.
     *
     * @param status of HTTP
     * @param json empty where the answer is none
     */
    record Answer(int status, Optional<JsonNode> json) {
        boolean isOk() {
            return status == HttpURLConnection.HTTP_OK && json.isPresent();
        }

        /** Whether the ResourceManager itself refuses, in words: there is such a service. */
        boolean isRefusal() {
            return !words().isEmpty();
        }

        /** What the ResourceManager says of its refusal; empty where it says nothing. */
        String words() {
            return json.map(node -> node.path("RemoteException").path("message").asText())
                    .map(message -> message.replaceFirst("^(?:[a-z][\\w$]*\\.)+[A-Z][\\w$]*(?:Exception|Error): ", ""))
                    // Hadoop's web framework says this where there is no such service.
                    .filter(message -> !message.startsWith("HTTP 404") && !message.startsWith("null for uri"))
                    .orElse("");
        }
    }

    /**
     * @param path below {@code /ws/v1/treadle/}
     * @return the JSON that it answers
     * @throws ClientException in the ResourceManager's words if it refuses, or if it cannot be reached
     */
    JsonNode call(String method, String path, Optional<String> body) {
        Answer answer = ask(method, TREADLE + path, body);
        if (answer.isOk()) {
            return answer.json().orElseThrow();
        }
        throw new ClientException(answer.isRefusal() ? answer.words() : unexplained(answer));
    }

    /**
     * Any answer, also a refusal.
     *
     * @param path below {@code /ws/v1/treadle/}
     * @throws ClientException if no ResourceManager can be reached
     */
    Answer ask(String path) {
        return ask("GET", TREADLE + path, Optional.empty());
    }

    /**
     * Any answer, also a refusal.
     *
     * @param path from the root of the ResourceManager's web address on
     * @throws ClientException if no ResourceManager can be reached
     */
    Answer askYarn(String path) {
        return ask("GET", path, Optional.empty());
    }

    static String unexplained(Answer answer) {
        return "the ResourceManager answers with status " + answer.status()
                + (answer.status() == HttpURLConnection.HTTP_NOT_FOUND
                        ? ".\nMaybe it runs without Treadle: yarn.resourcemanager.scheduler.class is another there."
                        : "");
    }

    private Answer ask(String method, String path, Optional<String> body) {
        List<String> addresses = ResourceManagerAddresses.of(conf);
        Optional<Exception> failure = Optional.empty();
        for (int i = 0; i < addresses.size(); i++) {
            int index = (first + i) % addresses.size();
            try {
                Answer answer = send(method, addresses.get(index) + path, body, addresses.size() > 1);
                if (answer.status() != HttpURLConnection.HTTP_OK
                        || answer.json().isPresent()) {
                    first = index;
                    return answer;
                }
                failure = failure.or(() -> Optional.of(new IOException("no ResourceManager is active")));
            } catch (IOException | AuthenticationException | IllegalArgumentException e) {
                LOG.debug("{} does not answer", addresses.get(index), e);
                failure = Optional.of(e);
            }
        }
        Exception cause = failure.orElseGet(() -> new IOException("none is configured"));
        throw new ClientException(
                "the ResourceManager's web address cannot be reached: " + Causes.message(cause)
                        + ".\nMaybe yarn.resourcemanager.webapp.address is not the one of your cluster.",
                cause);
    }

    private static Optional<JsonNode> parse(String text) {
        try {
            return Optional.ofNullable(MAPPER.readTree(text)).filter(JsonNode::isObject);
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private Answer send(String method, String url, Optional<String> body, boolean hasOthers)
            throws IOException, AuthenticationException {
        String to = url;
        for (int i = 0; i < MOST_REDIRECTS; i++) {
            HttpURLConnection connection = connections.open(to, hasOthers ? SHORT_CONNECT_MS : TIMEOUT_MS, TIMEOUT_MS);
            try {
                connection.setInstanceFollowRedirects(false);
                connection.setRequestMethod(method);
                connection.setRequestProperty("Accept", "application/json");
                // What Hadoop's filter against forged requests asks for.
                connection.setRequestProperty("X-XSRF-HEADER", "treadle");
                if (body.isPresent()) {
                    connection.setDoOutput(true);
                    connection.setRequestProperty("Content-Type", "application/json");
                    try (OutputStream out = connection.getOutputStream()) {
                        out.write(body.get().getBytes(StandardCharsets.UTF_8));
                    }
                }
                int status = connection.getResponseCode();
                String location = connection.getHeaderField("Location");
                if (status != TEMPORARY_REDIRECT || location == null) {
                    return new Answer(status, parse(text(connection)));
                }
                to = location;
            } finally {
                connection.disconnect();
            }
        }
        throw new IOException(url + " redirects more than " + MOST_REDIRECTS + " times");
    }

    private static String text(HttpURLConnection connection) throws IOException {
        @Nullable InputStream error = connection.getErrorStream();
        try (InputStream in = error == null ? connection.getInputStream() : error) {
            return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.webapp.util.WebAppUtils;
import org.jspecify.annotations.Nullable;

/** Calls the active ResourceManager's services under {@code /ws/v1/treadle}, as the user who runs this. */
final class ResourceManagerRest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int MAX_BYTES = 64 << 20;
    private static final int TIMEOUT_MS = 30_000;
    private static final int MOST_REDIRECTS = 3;
    private static final int TEMPORARY_REDIRECT = 307;

    private final Configuration conf;

    ResourceManagerRest(Configuration conf) {
        this.conf = conf;
    }

    /** @param status of HTTP */
    record Answer(int status, String text) {}

    /**
     * @param path below {@code /ws/v1/treadle/}
     * @return the JSON that it answers
     * @throws ClientException in the ResourceManager's words if it refuses, or if it cannot be reached
     */
    JsonNode call(String method, String path, Optional<String> body) {
        Answer answer;
        try {
            answer = WebAppUtils.<String, Answer>execOnActiveRM(
                    conf, (address, below) -> send(method, address + "/ws/v1/treadle/" + below, body), path);
        } catch (Exception e) { // Hadoop declares no narrower type.
            throw new ClientException(
                    "the ResourceManager's web address cannot be reached: " + Causes.message(e)
                            + ".\nMaybe yarn.resourcemanager.webapp.address is not the one of your cluster.",
                    e);
        }
        Optional<JsonNode> json = parse(answer.text());
        if (answer.status() == HttpURLConnection.HTTP_OK && json.isPresent()) {
            return json.get();
        }
        String said = json.map(
                        node -> node.path("RemoteException").path("message").asText())
                .filter(message -> !message.isBlank())
                .map(message -> message.replaceFirst("^(?:[a-z][\\w$]*\\.)+[A-Z][\\w$]*(?:Exception|Error): ", ""))
                .orElse("the ResourceManager answers with status " + answer.status()
                        + (answer.status() == HttpURLConnection.HTTP_NOT_FOUND
                                ? ".\nMaybe it runs without Treadle: yarn.webapp.custom.webservice.class is not set there."
                                : ""));
        throw new ClientException(said);
    }

    private static Optional<JsonNode> parse(String text) {
        try {
            return Optional.ofNullable(MAPPER.readTree(text)).filter(JsonNode::isObject);
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private static Answer send(String method, String url, Optional<String> body) throws Exception {
        String to = url;
        for (int i = 0; i < MOST_REDIRECTS; i++) {
            HttpURLConnection connection = WebPages.open(withUser(to));
            try {
                connection.setConnectTimeout(TIMEOUT_MS);
                connection.setReadTimeout(TIMEOUT_MS);
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
                    return new Answer(status, text(connection));
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

    /** Without Kerberos the caller says who it is, as Hadoop's own clients do. */
    private static String withUser(String url) throws IOException {
        if (UserGroupInformation.isSecurityEnabled()
                || String.valueOf(URI.create(url).getQuery()).contains("user.name=")) {
            return url;
        }
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        return url + (url.contains("?") ? "&" : "?") + "user.name=" + URLEncoder.encode(user, StandardCharsets.UTF_8);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/** Reads small JSON pages of ApplicationMasters through the ResourceManager's proxy. */
final class WebPages {
    private static final int MAX_BYTES = 8 << 20;

    private final WebConnections connections;
    private final int timeoutMs;

    WebPages(WebConnections connections, int timeoutMs) {
        this.connections = connections;
        this.timeoutMs = timeoutMs;
    }

    /** The page's text; empty if it cannot be had now, for whatever reason. */
    Optional<String> read(String url) {
        try {
            HttpURLConnection connection = connections.open(url, timeoutMs, timeoutMs);
            connection.setRequestProperty("Accept", "application/json");
            try (InputStream in = connection.getInputStream()) {
                byte[] bytes = in.readNBytes(MAX_BYTES);
                return connection.getResponseCode() == HttpURLConnection.HTTP_OK
                        ? Optional.of(new String(bytes, StandardCharsets.UTF_8))
                        : Optional.empty();
            } finally {
                connection.disconnect();
            }
        } catch (IOException | AuthenticationException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}

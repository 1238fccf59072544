// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/** Reads small JSON pages of the ResourceManager and, through its proxy, of ApplicationMasters. */
final class WebPages {
    private static final int MAX_BYTES = 8 << 20;

    private final int timeoutMs;

    WebPages(int timeoutMs) {
        this.timeoutMs = timeoutMs;
    }

    /** The page's text; empty if it cannot be had now, for whatever reason. */
    Optional<String> read(String url) {
        try {
            HttpURLConnection connection = open(url);
            connection.setConnectTimeout(timeoutMs);
            connection.setReadTimeout(timeoutMs);
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

    static HttpURLConnection open(String url) throws IOException, AuthenticationException {
        if (UserGroupInformation.isSecurityEnabled()) {
            return new AuthenticatedURL().openConnection(URI.create(url).toURL(), new AuthenticatedURL.Token());
        }
        return (HttpURLConnection) URI.create(url).toURL().openConnection();
    }
}

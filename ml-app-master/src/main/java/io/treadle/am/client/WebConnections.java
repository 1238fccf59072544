// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hadoop.security.authentication.client.ConnectionConfigurator;
import org.apache.hadoop.security.ssl.SSLFactory;

/**
 * Opens connections to Hadoop's web addresses as the user who runs this: by SPNEGO where Kerberos is on, else by the
 * user's name. HTTPS trusts what {@code ssl-client.xml} says. Safe for use by several threads.
 */
final class WebConnections implements AutoCloseable {
    private final Configuration conf;
    private Optional<SSLFactory> ssl = Optional.empty();

    WebConnections(Configuration conf) {
        this.conf = conf;
    }

    /**
     * @param connectMs how long a host may take to accept the connection, ms
     * @param readMs how long it may take to answer, ms
     */
    HttpURLConnection open(String url, int connectMs, int readMs) throws IOException, AuthenticationException {
        ConnectionConfigurator configurator = connection -> {
            connection.setConnectTimeout(connectMs);
            connection.setReadTimeout(readMs);
            return url.startsWith("https:") ? ssl().configure(connection) : connection;
        };
        if (UserGroupInformation.isSecurityEnabled()) {
            return new AuthenticatedURL(null, configurator)
                    .openConnection(URI.create(url).toURL(), new AuthenticatedURL.Token());
        }
        return configurator.configure(
                (HttpURLConnection) URI.create(withUser(url)).toURL().openConnection());
    }

    private synchronized SSLFactory ssl() throws IOException {
        if (ssl.isEmpty()) {
            SSLFactory factory = new SSLFactory(SSLFactory.Mode.CLIENT, conf);
            try {
                factory.init();
            } catch (GeneralSecurityException e) {
                throw new IOException(
                        "the trusted certificates of ssl-client.xml cannot be used: " + e.getMessage(), e);
            }
            ssl = Optional.of(factory);
        }
        return ssl.get();
    }

    /** Without Kerberos the caller says who it is, as Hadoop's own clients do. */
    private static String withUser(String url) throws IOException {
        if (String.valueOf(URI.create(url).getQuery()).contains("user.name=")) {
            return url;
        }
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        return url + (url.contains("?") ? "&" : "?") + "user.name=" + URLEncoder.encode(user, StandardCharsets.UTF_8);
    }

    @Override
    public synchronized void close() {
        ssl.ifPresent(SSLFactory::destroy);
        ssl = Optional.empty();
    }
}

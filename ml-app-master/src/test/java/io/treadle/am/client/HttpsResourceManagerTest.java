// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.treadle.am.protocol.HttpLimits;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code yarn.http.policy=HTTPS_ONLY} with a certificate that only {@code ssl-client.xml} trusts. */
class HttpsResourceManagerTest {
    private static final String PASSWORD = "changeit";

    private static Path keyStore(Path directory) throws Exception {
        Path file = directory.resolve("keys.jks");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "rm",
                        "-keyalg",
                        "RSA",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=ip:127.0.0.1,dns:localhost",
                        "-storetype",
                        "JKS",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD,
                        "-keypass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("keytool.log").toFile())
                .start();
        assertEquals(0, keytool.waitFor());
        return file;
    }

    private static HttpsServer server(Path keys) throws Exception {
        KeyStore store = KeyStore.getInstance("JKS");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        HttpLimits.apply();
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/ws/v1/treadle/jobs", exchange -> {
            try (exchange) {
                byte[] body = "{\"jobs\":[]}".getBytes(UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
        return server;
    }

    @Test
    void certificatesAreTrustedAsHadoopsClientSettingsSay(@TempDir Path directory) throws Exception {
        Path keys = keyStore(directory);
        // Hadoop looks for it on the class path.
        Path classes = Path.of(HttpsResourceManagerTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path sslClient = classes.resolve("ssl-client-of-test.xml");
        Configuration trust = new Configuration(false);
        trust.set("ssl.client.truststore.location", keys.toString());
        trust.set("ssl.client.truststore.password", PASSWORD);
        trust.set("ssl.client.truststore.type", "jks");
        HttpsServer server = server(keys);
        try {
            try (OutputStream out = Files.newOutputStream(sslClient)) {
                trust.writeXml(out);
            }
            Configuration conf = new Configuration();
            conf.set("yarn.http.policy", "HTTPS_ONLY");
            conf.set(
                    "yarn.resourcemanager.webapp.https.address",
                    "localhost:" + server.getAddress().getPort());
            try (WebConnections connections = new WebConnections(conf)) {
                ResourceManagerRest rest = new ResourceManagerRest(conf, connections);
                assertThrows(ClientException.class, () -> rest.call("GET", "jobs", Optional.empty()));
            }
            conf.set("hadoop.ssl.client.conf", "ssl-client-of-test.xml");
            try (WebConnections connections = new WebConnections(conf)) {
                ResourceManagerRest rest = new ResourceManagerRest(conf, connections);
                assertEquals(
                        "{\"jobs\":[]}",
                        rest.call("GET", "jobs", Optional.empty()).toString());
            }
        } finally {
            server.stop(0);
            Files.deleteIfExists(sslClient);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.protocol.RunnerProtocol;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Announces this ApplicationMaster on the runners' own ports. */
final class HttpRunnerGateway implements RunnerGateway, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpRunnerGateway.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final ExecutorService pool = Executors.newFixedThreadPool(4, run -> {
        Thread thread = new Thread(run, "announce");
        thread.setDaemon(true);
        return thread;
    });
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(PATIENCE).executor(pool).build();
    private final String address;
    private final String jobSecret;

    HttpRunnerGateway(String address, String jobSecret) {
        this.address = address;
        this.jobSecret = jobSecret;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // Tried again by the caller until the runner registers.
    public void announce(String host, int port) {
        pool.submit(() -> {
            try {
                HttpRequest request = HttpRequest.newBuilder(
                                URI.create("http://" + host + ":" + port + RunnerProtocol.ANNOUNCE))
                        .timeout(PATIENCE)
                        .header(RunnerProtocol.SECRET_HEADER, jobSecret)
                        .POST(HttpRequest.BodyPublishers.ofString(address))
                        .build();
                client.send(request, HttpResponse.BodyHandlers.discarding());
            } catch (IOException e) {
                LOG.info("runner at {}:{} does not answer yet: {}", host, port, e.toString());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }
}

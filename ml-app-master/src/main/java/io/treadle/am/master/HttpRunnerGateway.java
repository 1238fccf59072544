// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.protocol.RunnerProtocol;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Announces this ApplicationMaster on the runners' own ports, to each runner once at a time. */
final class HttpRunnerGateway implements RunnerGateway {
    private static final Logger LOG = LoggerFactory.getLogger(HttpRunnerGateway.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** No pool of ours: the client works on its own threads, and stands still where callers that wait for it hold them all. */
    private final HttpClient client;

    private final Set<URI> beingTold = ConcurrentHashMap.newKeySet();
    private final String address;
    private final String jobSecret;
    private final Duration patience;

    HttpRunnerGateway(String address, String jobSecret) {
        this(address, jobSecret, PATIENCE);
    }

    HttpRunnerGateway(String address, String jobSecret, Duration patience) {
        this.address = address;
        this.jobSecret = jobSecret;
        this.patience = patience;
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(patience)
                .build();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // Tried again by the caller until the runner registers.
    public void announce(String host, int port) {
        String name = host.contains(":") ? "[" + host + "]" : host;
        HttpRequest request;
        try {
            request = HttpRequest.newBuilder(URI.create("http://" + name + ":" + port + RunnerProtocol.ANNOUNCE))
                    .timeout(patience)
                    .header(RunnerProtocol.SECRET_HEADER, jobSecret)
                    .POST(HttpRequest.BodyPublishers.ofString(address))
                    .build();
        } catch (IllegalArgumentException e) {
            // It is what a runner has said of itself.
            LOG.warn("runner at {}:{} cannot be told of this ApplicationMaster: {}", host, port, e.getMessage());
            return;
        }
        URI runner = request.uri();
        if (!beingTold.add(runner)) {
            return;
        }
        client.sendAsync(request, HttpResponse.BodyHandlers.discarding()).whenComplete((answer, cause) -> {
            beingTold.remove(runner);
            if (cause != null) {
                LOG.info("runner at {}:{} does not answer yet: {}", host, port, cause.toString());
            } else if (answer.statusCode() >= 300) {
                LOG.warn("runner at {}:{} refuses this ApplicationMaster: HTTP {}", host, port, answer.statusCode());
            }
        });
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/**
 * Where a service can be asked: at its ApplicationMaster, or at any of its workers where these answer, too. Gives out one
 * worker after the other in any order, and then the ApplicationMaster, which is looked for again after that.
 */
final class Ingresses implements Supplier<Endpoint> {
    private static final Duration USUAL_PATIENCE = Duration.ofSeconds(2);

    private final Supplier<Endpoint> master;
    private final Duration patience;
    private final Deque<Endpoint> next = new ArrayDeque<>();
    private final HttpClient http;

    Ingresses(Supplier<Endpoint> master) {
        this(master, USUAL_PATIENCE);
    }

    /** @param patience for which each is waited for */
    Ingresses(Supplier<Endpoint> master, Duration patience) {
        this.master = master;
        this.patience = patience;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(patience)
                .build();
    }

    @Override
    public Endpoint get() {
        if (next.isEmpty()) {
            Endpoint found = master.get();
            List<Endpoint> workers = workers(found);
            Collections.shuffle(workers);
            next.addAll(workers);
            // Workers may be behind a firewall.
            next.add(found);
        }
        return next.removeFirst();
    }

    /** Whoever cannot say who else there is is asked itself, and says then what is wrong. */
    private List<Endpoint> workers(Endpoint found) {
        HttpRequest request = HttpRequest.newBuilder(found.page("/v2"))
                .header("Authorization", "Bearer " + found.secret())
                .timeout(patience)
                .build();
        List<Endpoint> workers = new ArrayList<>();
        try {
            HttpResponse<byte[]> answer = http.send(request, BodyHandlers.ofByteArray());
            if (answer.statusCode() == 200) {
                for (JsonNode address : InferClient.json(answer.body()).path("ingresses")) {
                    Endpoint worker = new Endpoint(Endpoint.base(address.asText()), found.secret());
                    if (isKnownHere(worker)) {
                        workers.add(worker);
                    }
                }
            }
        } catch (IOException | ClientException | UsageException e) {
            workers.clear();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return workers;
    }

    /** Nodes' names need not be known outside the cluster. */
    private static boolean isKnownHere(Endpoint worker) {
        try {
            InetAddress.getByName(worker.page("/").getHost());
            return true;
        } catch (UnknownHostException e) {
            return false;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.serve;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Asks a service's workers in turn, and another one where one does not answer or leaves, as clients do. */
final class AnyIngress implements Clients.Asking {
    private static final int MOST_ATTEMPTS = 200;

    private final TinyService service;
    private final AtomicInteger turn = new AtomicInteger();
    private volatile List<URI> known;

    AnyIngress(TinyService service) throws IOException, InterruptedException {
        this.service = service;
        known = service.ingresses(service.address());
    }

    @Override
    public HttpResponse<String> ask(String workflow, double x, double y) throws IOException, InterruptedException {
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            List<URI> all = known;
            try {
                HttpResponse<String> answer =
                        service.ask(all.get(Math.floorMod(turn.getAndIncrement(), all.size())), workflow, x, y);
                if (answer.statusCode() != 503) {
                    return answer;
                }
            } catch (IOException e) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            look(all);
        }
        throw new AssertionError("none of " + known + " answers");
    }

    /** Whoever answers says who answers. */
    private void look(List<URI> all) throws InterruptedException {
        for (URI each : all) {
            try {
                List<URI> now = service.ingresses(each);
                if (!now.isEmpty()) {
                    known = now;
                    return;
                }
            } catch (IOException e) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
        }
    }
}

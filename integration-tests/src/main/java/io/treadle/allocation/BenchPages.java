// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

/** Treadle's pages on a measured ResourceManager, as a browser reads them. */
final class BenchPages {
    /** What each of them is, in the order of their numbers. */
    static final List<String> NAMES = List.of("/cluster/treadle", "/cluster/treadle/job/…", "/ws/v1/treadle/jobs");

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<URI> pages;

    private BenchPages(List<URI> pages) {
        this.pages = pages;
    }

    /** @param cluster with jobs of Treadle's, whose pages have not been started */
    static BenchPages start(BenchCluster cluster) throws IOException {
        String address = "http://127.0.0.1:" + cluster.startPages();
        String job = cluster.jobs().get(0).attemptId().getApplicationId().toString();
        return new BenchPages(NAMES.stream()
                .map(name -> URI.create(address + name.replace("…", job)))
                .toList());
    }

    /** Reads one of them to its end. */
    Answer read(int number) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        HttpResponse<byte[]> answer =
                http.send(HttpRequest.newBuilder(pages.get(number)).build(), HttpResponse.BodyHandlers.ofByteArray());
        double millis = (System.nanoTime() - begun) / 1e6;
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(pages.get(number) + " answers " + answer.statusCode());
        }
        return Answer.page(millis, answer.body().length);
    }
}

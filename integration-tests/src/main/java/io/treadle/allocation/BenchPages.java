// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Treadle's pages on a measured ResourceManager, as a browser reads them. */
final class BenchPages {
    private static final String CLUSTER = "/cluster/treadle";
    private static final String JOB = "/cluster/treadle/job/";
    private static final String JOBS = "/ws/v1/treadle/jobs";

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<URI> pages;

    private BenchPages(List<URI> pages) {
        this.pages = pages;
    }

    /**
     * What each of them is, in the order of their numbers.
     *
     * @param nodes of the cluster
     */
    static List<String> names(int nodes) {
        return List.of(CLUSTER, nameOfJob(BenchCluster.GPUS), nameOfJob(BenchCluster.largeJobTasks(nodes)), JOBS);
    }

    private static String nameOfJob(int tasks) {
        return String.format(Locale.ROOT, "%s… of a job of %,d tasks", JOB, tasks);
    }

    /** @param cluster with jobs of Treadle's, whose pages have not been started; it gets another job */
    static BenchPages start(BenchCluster cluster) throws Exception {
        String small = idOf(cluster.jobs().get(0));
        String large = idOf(cluster.startLargeJob());
        String address = "http://127.0.0.1:" + cluster.startPages();
        return new BenchPages(Stream.of(CLUSTER, JOB + small, JOB + large, JOBS)
                .map(path -> URI.create(address + path))
                .toList());
    }

    private static String idOf(Master job) {
        return job.attemptId().getApplicationId().toString();
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

// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Reads what ApplicationMasters say: live from their pages, and from the record that each leaves at its end. */
public final class StatusReader {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(TIMEOUT)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();
    private final Path history;

    public StatusReader(Path history) {
        this.history = history;
    }

    /** Empty where the page does not answer, as while it comes up or goes down. */
    public Optional<JobStatus> live(String trackingUrl) throws InterruptedException {
        if (trackingUrl.isEmpty()) {
            return Optional.empty();
        }
        String page = trackingUrl.endsWith("/") ? trackingUrl : trackingUrl + "/";
        return text(page + "status.json").flatMap(JobStatus::fromJson);
    }

    /** Empty where there is none (yet). */
    public Optional<JobStatus> record(ApplicationId id) {
        try {
            return JobStatus.fromJson(Files.readString(history.resolve(id + ".json")));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The body of a page; empty where it does not answer with one. */
    public Optional<String> text(String address) throws InterruptedException {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(address)).timeout(TIMEOUT).build();
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() == 200 ? Optional.of(answer.body()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}

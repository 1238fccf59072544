// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** JSON and pages from the ResourceManager's web address. */
final class Rest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final String address;

    /** @param address {@code host:port} */
    Rest(String address) {
        this.address = address;
    }

    JsonNode get(String path) throws IOException, InterruptedException {
        return MAPPER.readTree(text(path, "application/json"));
    }

    /** A web page. */
    String page(String path) throws IOException, InterruptedException {
        return text(path, "text/html");
    }

    private String text(String path, String type) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + path))
                .header("Accept", type)
                .timeout(PATIENCE)
                .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(path + " answers " + response.statusCode() + ": " + response.body());
        }
        return response.body();
    }
}

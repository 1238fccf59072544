// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.am.protocol.Directive;
import io.treadle.am.protocol.FinishedMessage;
import io.treadle.am.protocol.Json;
import io.treadle.am.protocol.RegisterMessage;
import io.treadle.am.protocol.ReportMessage;
import io.treadle.am.protocol.RunnerProtocol;
import io.treadle.core.wire.DataReport;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ProfileServers;
import io.treadle.core.wire.ServersModel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AmServerTest {
    private static final String SECRET = "secret";
    private static final DataReport DATA = new DataReport(1000, 10, 400, 64, OptionalDouble.of(0.4), 12.5, 2000, 100);

    private final AmServer server = AmServer.start(SECRET);
    private final HttpClient client = HttpClient.newHttpClient();

    AmServerTest() throws IOException {
        serve(server, new ProxyGate(List.of("localhost"), "http://rm:8088/proxy/application_1_0001", user -> true));
    }

    private static void serve(AmServer server, ProxyGate gate) {
        server.showPage(AmServerTest::status, gate);
        server.serve(new RunnerCalls() {
            @Override
            public Directive register(RegisterMessage message) throws RefusedException {
                if (message.containerId().equals("strange")) {
                    throw new RefusedException(RunnerProtocol.STATUS_GONE, "none of ours");
                }
                return Directive.waitFor(4);
            }

            @Override
            public Directive report(ReportMessage message) {
                return Directive.waitFor(4);
            }

            @Override
            public Directive finished(FinishedMessage message) {
                return Directive.exit(4);
            }
        });
    }

    static JobStatus status() {
        return new JobStatus(
                "application_1_0001",
                "<script>alert('x')</script>",
                "ada",
                "running",
                500,
                1000,
                42.5,
                1,
                1,
                2,
                List.of(new JobStatus.Worker(
                        "c1",
                        "n1",
                        "worker",
                        0,
                        4,
                        1024,
                        List.of("GPU-1"),
                        500,
                        42.5,
                        3,
                        8,
                        Optional.of(DATA),
                        "http://n1:8042/x?a&b")),
                List.of(Json.object()
                        .put("containerId", "c1")
                        .put("atSeconds", 12.5)
                        .put("from", 4)
                        .put("to", 2)
                        .put("by", "scheduler")
                        .put("samplesPerSecondBefore", 42.5)
                        .putNull("samplesPerSecondAfter")),
                List.of(new ProfileRecord.Point(1, 0, 10, 5), new ProfileRecord.Point(4, 0, 40, 5)),
                ProfileRecord.Phase.READY,
                Optional.of(new JobEnergy(12_345, 213.6, 3.14, 250, 400)),
                Optional.of(new ProfileServers(
                                new ServersModel(
                                        ServersModel.Mode.SYNC,
                                        ServersModel.Overlap.NONE,
                                        64,
                                        new ServersModel.Fitted(0.001, 0.02, 0, 0, 0)),
                                List.of(
                                        new ProfileServers.Sample(2, 1, 0.053, OptionalDouble.of(0.0123)),
                                        new ProfileServers.Sample(2, 2, 0.041)),
                                OptionalDouble.of(0.034),
                                OptionalDouble.of(0.027))
                        .withVcores(OptionalLong.of(4))),
                "training");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return get(server, path);
    }

    private HttpResponse<String> get(AmServer server, String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
                        .timeout(Duration.ofSeconds(60))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String secret, String body)
            throws IOException, InterruptedException {
        return post(server, path, secret, body);
    }

    private HttpResponse<String> post(AmServer server, String path, String secret, String body)
            throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
                        .header(RunnerProtocol.SECRET_HEADER, secret)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void runnersMustKnowTheSecret() throws Exception {
        String body = new RegisterMessage("c1", "n1", 1).toJson();
        assertEquals(403, post(RunnerProtocol.REGISTER, "wrong", body).statusCode());
        HttpResponse<String> answer = post(RunnerProtocol.REGISTER, SECRET, body);
        assertEquals(200, answer.statusCode());
        assertEquals(4, Directive.fromJson(answer.body()).epoch());
    }

    @Test
    void readersWhoDoNotComeThroughTheProxyAreSentThere() throws Exception {
        try (AmServer guarded = AmServer.start(SECRET)) {
            serve(
                    guarded,
                    new ProxyGate(List.of("203.0.113.7"), "http://rm:8088/proxy/application_1_0001", user -> true));
            for (String path : List.of("/", "/status.json?a=%20b", "/nothing")) {
                HttpResponse<String> answer = get(guarded, path);
                assertEquals(302, answer.statusCode());
                assertEquals(
                        "http://rm:8088/proxy/application_1_0001" + path,
                        answer.headers().firstValue("Location").orElseThrow());
                assertFalse(answer.body().contains("ada"), answer.body());
            }
            String body = new RegisterMessage("c1", "n1", 1).toJson();
            assertEquals(
                    200,
                    post(guarded, RunnerProtocol.REGISTER, SECRET, body).statusCode(),
                    "runners are on any node, and know the secret");
        }
    }

    @Test
    void readersWhoMayNotViewTheApplicationAreRefused() throws Exception {
        try (AmServer guarded = AmServer.start(SECRET)) {
            serve(
                    guarded,
                    new ProxyGate(
                            List.of("localhost"),
                            "http://rm:8088/proxy/application_1_0001",
                            user -> user.equals(Optional.of("ada lovelace"))));
            for (String path : List.of("/", "/status.json", "/nothing")) {
                for (String cookie : List.of("a=b", "proxy-user=bob", "proxy-user=", "proxy-user=%")) {
                    HttpResponse<String> answer = client.send(
                            HttpRequest.newBuilder(URI.create("http://localhost:" + guarded.port() + path))
                                    .header("Cookie", cookie)
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
                    assertEquals(403, answer.statusCode(), cookie);
                    assertEquals("you may not view this application\n", answer.body());
                }
            }
            assertEquals(403, get(guarded, "/status.json").statusCode(), "nobody asks");
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create("http://localhost:" + guarded.port() + "/status.json"))
                            .header("Cookie", "x=y; proxy-user=ada+lovelace")
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertEquals(200, answer.statusCode());
            String body = new RegisterMessage("c1", "n1", 1).toJson();
            assertEquals(
                    200, post(guarded, RunnerProtocol.REGISTER, SECRET, body).statusCode());
        }
    }

    @Test
    void theProxysHostIsKnownByAnyOfItsAddresses() throws Exception {
        ProxyGate onThisHost = new ProxyGate(List.of("localhost", "no-such-host.invalid"), "", user -> true);
        assertTrue(onThisHost.admits(InetAddress.getLoopbackAddress()));
        assertTrue(onThisHost.admits(InetAddress.getByName("127.0.0.2")));
        assertFalse(onThisHost.admits(InetAddress.getByName("203.0.113.7")));
        ProxyGate elsewhere = new ProxyGate(List.of("203.0.113.7"), "", user -> true);
        assertTrue(elsewhere.admits(InetAddress.getByName("203.0.113.7")));
        assertFalse(elsewhere.admits(InetAddress.getLoopbackAddress()));
    }

    @Test
    void answersBadCallsWithTheirFault() throws Exception {
        HttpResponse<String> broken = post(RunnerProtocol.REGISTER, SECRET, "{\"containerId\":5}");
        assertEquals(400, broken.statusCode());
        assertTrue(broken.body().contains("containerId"), broken.body());
        assertEquals(
                410,
                post(RunnerProtocol.REGISTER, SECRET, new RegisterMessage("strange", "n", 1).toJson())
                        .statusCode());
        assertEquals(404, get("/nothing").statusCode());
    }

    @Test
    void connectionsThatSendHalfARequestHoldNobodyUp() throws Exception {
        List<Socket> halfOpen = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                Socket socket = new Socket("localhost", server.port());
                halfOpen.add(socket);
                socket.getOutputStream().write("POST /v1/report HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
            }
            assertEquals(404, get("/nothing").statusCode());
        } finally {
            for (Socket socket : halfOpen) {
                socket.close();
            }
        }
    }

    @Test
    void statusHasEveryField() throws Exception {
        ObjectNode json = Json.parse("status", get("/status.json").body());
        for (String field : List.of(
                "applicationId",
                "name",
                "state",
                "samples",
                "totalSamples",
                "samplesPerSecond",
                "restarts",
                "workers",
                "resizes",
                "profile",
                "phase",
                "note")) {
            assertTrue(json.has(field), field);
        }
        for (String field : List.of(
                "containerId",
                "host",
                "group",
                "rank",
                "vcores",
                "memoryMiB",
                "devices",
                "samples",
                "samplesPerSecond",
                "cpuSeconds",
                "vcoreSeconds")) {
            assertTrue(json.path("workers").path(0).has(field), field);
        }
        assertFalse(json.has("finalStatus"));
        assertEquals("FAILED", Json.text(Json.parse("record", status().toRecord("FAILED", "boom")), "finalStatus"));
    }

    @Test
    void statusTellsWhatWasSpent() throws Exception {
        ObjectNode energy =
                (ObjectNode) Json.parse("status", get("/status.json").body()).path("energy");
        assertEquals(12_345, energy.path("joules").asDouble());
        assertEquals(400, energy.path("defaultCapWatts").asDouble());
        assertEquals(
                "12.3 kJ (3.1 J per sample), 214 W, cap 250 W per GPU",
                energy.path("text").asText());
        assertEquals("0.0 mJ", new JobEnergy(0, 0, 0, 0, 0).describe());
        assertEquals("2.5 MJ (20.0 mJ per sample)", new JobEnergy(2_500_000, 0, 0.02, 0, 0).describe());
    }

    @Test
    void statusTellsWhatWorkersRead() throws Exception {
        ObjectNode json = Json.parse("status", get("/status.json").body());
        assertEquals(DATA, DataReport.fromJson(json.at("/workers/0/data").toString()));
    }

    /** A sample whose error is known says so, and the fit how far it holds for other sizes. */
    @Test
    void pageTellsHowFarMeasurementsCanBeReliedOn() throws Exception {
        String page = get("/").body();
        assertTrue(page.contains("<td>2</td><td>1</td><td>53.0 ms ± 1.2 %</td>"), page);
        assertTrue(page.contains("<td>2</td><td>2</td><td>41.0 ms</td>"), page);
        assertTrue(
                page.contains("<p class=\"sub\">Confidence in other sizes: high. Each size is foretold from the others"
                        + " with an error of 3.4 % on average. The measurements' own errors make what is foretold"
                        + " uncertain by 2.7 % on average.</p>"),
                page);
    }

    @Test
    void pageIsSelfContainedAndEscapesWhatUsersWrote() throws Exception {
        String page = get("/").body();
        assertFalse(page.contains("<script>"), page);
        assertTrue(page.contains("&lt;script&gt;"));
        assertTrue(page.contains("Energy 12.3 kJ (3.1 J per sample), 214 W, cap 250 W per GPU"), page);
        assertTrue(page.contains("<svg"));
        assertTrue(page.contains("href=\"status.json\""));
        assertTrue(page.contains("a&amp;b"));
        assertTrue(page.contains("4 → 2"));
        assertTrue(page.contains("Each server can use 4 vcores."), page);
        assertTrue(page.contains("12.5</td><td class=\"n\">40 %"), page);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.am.client.Main;
import io.treadle.cluster.DeviceShape;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code treadle power} as administrators and users type it, against nodes that draw and a ResourceManager with ACLs. */
class PowerCommandIT {
    private final Path directory;
    private int commands;

    PowerCommandIT(@TempDir Path directory) {
        this.directory = directory;
    }

    private record Result(int exitCode, String output) {}

    private Result power(EmbeddedCluster cluster, String user, String... words) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(Main.class.getName(), "power"));
        arguments.addAll(List.of(words));
        arguments.add("-Dyarn.resourcemanager.webapp.address="
                + URI.create(cluster.webAddress()).getAuthority());
        String name = "power-" + ++commands;
        JavaProcess process = new JavaProcess(
                        name,
                        directory.resolve(name),
                        System.getProperty("java.class.path"),
                        arguments.toArray(String[]::new))
                .withJvmOptions("-Dlog4j.configuration=command-log4j.properties")
                .as(user);
        process.start();
        return new Result(process.exitCode(), process.output().strip());
    }

    private static JsonNode report(EmbeddedCluster cluster) throws Exception {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(cluster.webAddress() + "/ws/v1/treadle/power"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer.body());
        return new ObjectMapper().readTree(answer.body());
    }

    private static HttpResponse<String> put(EmbeddedCluster cluster, String user, String body) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(
                                        cluster.webAddress() + "/ws/v1/treadle/power/budget?user.name=" + user))
                                .header("Content-Type", "application/json")
                                .PUT(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void everybodyLooksAndAdministratorsSetBudgets() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                .node(new NodeShape("n1", 2048, 4, List.of(new DeviceShape(2, "A100", 40960, 400))))
                .setting("yarn.acl.enable", "true")
                .setting("yarn.admin.acl", "boss")
                .setting("yarn.scheduler.treadle.power-budget-watts", "90%")
                .start()) {
            Await.until(
                    "the node says what it draws",
                    () -> report(cluster).path("nodes").size() == 1);
            JsonNode node = report(cluster).at("/nodes/0");
            assertEquals("model", node.path("source").asText());
            assertEquals(2, node.path("gpus").size());
            assertEquals(400, node.at("/gpus/0/limitWatts").asDouble());
            JsonNode totals = report(cluster).path("cluster");
            assertEquals(
                    0.9 * totals.path("peakWatts").asDouble(),
                    totals.path("budgetWatts").asDouble(),
                    0.2);

            Result seen = power(cluster, "ada");
            assertEquals(0, seen.exitCode(), seen.output());
            assertTrue(seen.output().contains(" W of a budget of "), seen.output());
            assertTrue(seen.output().contains(node.path("node").asText()), seen.output());

            Result refused = power(cluster, "ada", "set", "--cluster", "--watts", "5000");
            assertEquals(2, refused.exitCode());
            assertEquals(
                    "treadle: user 'ada' may not set power budgets: only YARN's administrators may (yarn.admin.acl)",
                    refused.output());

            assertEquals(
                    "the power budget of the cluster is now 5,000 W",
                    power(cluster, "boss", "set", "--cluster", "--watts", "5000")
                            .output());
            assertEquals(5000, report(cluster).at("/cluster/budgetWatts").asDouble());
            Result little = power(cluster, "boss", "set", "--cluster", "--watts", "10");
            assertEquals(0, little.exitCode());
            double floor = report(cluster).at("/cluster/budgetWatts").asDouble();
            assertTrue(floor > 300, "two idle GPUs and their node: " + floor);
            assertTrue(
                    little.output()
                            .startsWith(String.format(
                                    Locale.ROOT, "the power budget of the cluster is now %,.0f W", floor)),
                    little.output());
            assertTrue(little.output().contains("The cluster's power budget is 10 W, too little"), little.output());

            HttpResponse<String> unknown = put(cluster, "boss", "{\"queue\":\"root.nowhere\",\"watts\":5}");
            assertEquals(400, unknown.statusCode(), unknown.body());
            assertTrue(unknown.body().contains("there is no queue 'root.nowhere'"), unknown.body());
            HttpResponse<String> wrong = put(cluster, "boss", "{\"cluster\":true,\"watts\":\"12kW\"}");
            assertEquals(400, wrong.statusCode(), wrong.body());
            assertEquals(
                    403,
                    put(cluster, "ada", "{\"cluster\":true,\"watts\":null}").statusCode());

            String queue = report(cluster).at("/queues/0/queue").asText();
            assertEquals(
                    "the power budget of queue " + queue + " is now 250 W",
                    power(cluster, "boss", "set", "--queue", queue, "--watts", "250")
                            .output()
                            .lines()
                            .findFirst()
                            .orElse(""));
            assertEquals(250, report(cluster).at("/queues/0/budgetWatts").asDouble());
            assertEquals(
                    "the power budget of the cluster is now none",
                    power(cluster, "boss", "set", "--cluster", "--watts", "none")
                            .output());
            Await.until(
                    "draw is noted over time",
                    () -> report(cluster).path("history").size() > 0);
        }
    }
}

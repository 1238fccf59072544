// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.core.budget.EnergyBudget;
import io.treadle.core.wire.DevicePower;
import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.history.JobHistories;
import io.treadle.rm.power.BudgetState;
import io.treadle.rm.power.ClusterDraw;
import io.treadle.rm.power.JobPower;
import io.treadle.rm.power.Owner;
import io.treadle.rm.power.PowerHistory;
import io.treadle.rm.power.PowerReport;
import io.treadle.rm.sleep.SleepState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PowerSectionTest {
    private static final long NOW = 1_767_225_600_000L;
    private static final BudgetState DAY =
            new BudgetState(EnergyBudget.parse("24 kWh/day"), 7e6, OptionalLong.of(86_400_000), 1250);
    private static final String JOB = "application_1767225000000_0007";

    private static PowerReport.Gpu gpu(int index, double watts, double cap, String trouble) {
        return new PowerReport.Gpu(
                new NodeRecord.Device(
                        "GPU-" + index,
                        index,
                        "A100",
                        40960,
                        false,
                        NodeRecord.Health.OK,
                        watts,
                        cap,
                        0,
                        0,
                        30,
                        0,
                        List.of("container_1767225000000_0007_01_000002"),
                        Optional.of(new DevicePower(1410, List.of(), cap, 250, "nvml", trouble))),
                400);
    }

    /** An hour: a budget of 2.5 kW from its middle on. */
    private static List<PowerHistory.Sample> hour() {
        List<PowerHistory.Sample> samples = new ArrayList<>();
        for (int i = 0; i <= 360; i++) {
            samples.add(new PowerHistory.Sample(
                    NOW - 3_600_000 + i * 10_000L,
                    i < 180 ? 2600 + 150 * Math.sin(i / 9.0) : 2350 + 60 * Math.sin(i / 5.0),
                    i < 180 ? OptionalDouble.empty() : OptionalDouble.of(2500),
                    Map.of("root.ml", 900.0)));
        }
        return samples;
    }

    private static PowerReport report() {
        return new PowerReport(
                new ClusterDraw(2400, 3600, 900, Map.of("root.ml", 940.0), Map.of(JOB, 940.0), List.of()),
                OptionalDouble.of(2500),
                Optional.empty(),
                List.of("The power budget of queue root.ml is 3,000 W, that of the cluster 2,500 W: the smaller one"
                        + " counts."),
                7.2e6,
                3600,
                List.of(
                        new PowerReport.Node(
                                "n1:45454",
                                1600,
                                "rapl",
                                List.of(gpu(0, 240, 250, ""), gpu(1, 245, 250, ""), gpu(2, 390, 400, ""))),
                        new PowerReport.Node("n2:45454", 800, "model", List.of(gpu(0, 65, 400, "NVML 4 <refused>")))),
                List.of(new SleepState("n3", SleepState.Stage.OFF, 86_400_000)),
                true,
                List.of(
                        new PowerReport.Queue("root.ml", 940, OptionalDouble.of(3000), Optional.of(DAY), 7e6, 1),
                        new PowerReport.Queue("root.other", 0, OptionalDouble.empty(), Optional.empty(), 196_400, 0)),
                Map.of("ada", 7e6, "bob", 196_400.0),
                List.of(new JobPower(new Owner(JOB, "ada", "root.ml"), 940, 7e6, OptionalDouble.of(5.47))),
                hour());
    }

    private static ClusterView view(PowerReport report) {
        return new ClusterView(
                List.of(),
                0,
                0,
                List.of(),
                List.of(),
                List.of(),
                new JobHistories(),
                queue -> "fifo",
                id -> "ended",
                List.of(),
                BigCluster.CALM,
                report,
                user -> !user.equals("bob"),
                NOW);
    }

    @Test
    void drawBudgetQueuesUsersAndNodes() {
        String page = ClusterPage.render(view(report()), parts -> String.join("/", parts), Map.of());
        for (String part : List.of(
                "<b>2,400 W</b>drawn by nodes now, budget 2,500 W",
                "The nodes draw 2,400 W of the 2,500 W that they may draw. With every GPU at its own limit they would"
                        + " draw about 3,600 W, with none in use about 900 W. Their GPUs have used 2.0 kWh, 1.0 Wh of it"
                        + " while nobody held them.",
                "the smaller one counts.",
                "940 W of 3,000 W",
                "Nodes: n3 is off since 1970-01-02 00:00:00 UTC.",
                "<td>24 kWh in each day, 1.9 kWh used, until 1970-01-02 00:00:00 UTC, 1,250 W now</td>",
                "<td class=\"n\">54.6 Wh</td>",
                "<td>ada</td><td class=\"n\">1.9 kWh</td><td class=\"n\">97 %</td>",
                "250 W on GPUs 0, 1",
                "875 W of at most 1,200 W",
                "NVML 4 &lt;refused&gt;")) {
            assertTrue(page.contains(part), part + " is missing in " + page);
        }
        assertFalse(page.contains("bob"), "what bob has spent is not for everybody");
    }

    @Test
    void chartHasTheHourTheDrawAndTheBudgetSinceItsMiddle() {
        String svg = PowerChart.svg(hour(), NOW);
        assertEquals(1, svg.split("<polyline", -1).length - 1);
        assertTrue(svg.contains(">1 h ago<") && svg.contains(">now<"), svg);
        // The middle of 62 to 746.
        assertTrue(svg.contains("<line class=\"mark now\" x1=\"404.0\" x2=\"746.0\""), svg);
        assertTrue(svg.contains(">budget 2,500 W<"), svg);
    }

    @Test
    void silenceIsAGap() {
        List<PowerHistory.Sample> samples = hour();
        samples.subList(100, 130).clear();
        assertEquals(2, PowerChart.svg(samples, NOW).split("<polyline", -1).length - 1);
    }

    @Test
    void clusterThatSaysNothingHasNoSection() {
        PowerReport nothing = new PowerReport(
                new ClusterDraw(0, 0, 0, Map.of(), Map.of(), List.of()),
                OptionalDouble.empty(),
                Optional.empty(),
                List.of(),
                0,
                0,
                List.of(),
                List.of(),
                true,
                List.of(),
                Map.of(),
                List.of(),
                List.of());
        assertFalse(ClusterPage.render(view(nothing), parts -> "", Map.of()).contains("Power"));
    }

    @Test
    void jsonHasWhatTheSpecSays() throws Exception {
        JsonNode json = new ObjectMapper()
                .readTree(PowerJson.report(
                        report(),
                        hour(),
                        PageOf.FIRST,
                        new PowerJson.Seen(job -> true, user -> user.equals("ada"), container -> true)));
        assertEquals(2400, json.at("/cluster/watts").asDouble());
        assertEquals(2500, json.at("/cluster/budgetWatts").asDouble());
        assertEquals(3600, json.at("/cluster/peakWatts").asDouble());
        assertEquals(900, json.at("/cluster/idleWatts").asDouble());
        assertEquals(7.2e6, json.at("/cluster/joules").asDouble());
        assertEquals(1, json.at("/cluster/warnings").size());
        assertEquals(250, json.at("/nodes/0/gpus/0/effectiveCapWatts").asDouble());
        assertEquals(400, json.at("/nodes/0/gpus/0/limitWatts").asDouble());
        assertEquals("NVML 4 <refused>", json.at("/nodes/1/gpus/0/trouble").asText());
        assertEquals(1, json.at("/nodes/1/gpus/0/holders").size());
        assertEquals("root.ml", json.at("/queues/0/queue").asText());
        assertTrue(json.at("/queues/1/budgetWatts").isNull());
        assertTrue(json.at("/cluster/energyBudget").isNull());
        assertEquals(
                "[{\"node\":\"n3\",\"stage\":\"off\",\"words\":\"is off\",\"sinceMs\":86400000}]",
                json.path("asleep").toString());
        assertEquals(
                "{\"budget\":\"window:24/24h\",\"words\":\"24 kWh in each day\",\"usedJoules\":7000000.0,"
                        + "\"allowedJoules\":8.64E7,\"limitWatts\":1250.0,\"windowEndMs\":86400000}",
                json.at("/queues/0/energyBudget").toString());
        assertEquals(1, json.path("users").size());
        assertEquals(5.47, json.at("/jobs/0/joulesPerSample").asDouble());
        assertEquals(361, json.path("history").size());
        assertTrue(json.at("/history/0/budgetWatts").isNull());
        assertEquals(900, json.at("/history/0/queues/root.ml").asDouble());
        assertEquals(1, json.path("usersTotal").asInt());
        JsonNode none = new ObjectMapper()
                .readTree(PowerJson.report(
                        report(),
                        hour(),
                        PageOf.FIRST,
                        new PowerJson.Seen(job -> false, user -> false, container -> false)));
        assertEquals(0, none.path("jobs").size());
        assertEquals(0, none.path("jobsTotal").asInt());
        assertEquals(0, none.path("users").size());
        assertEquals(0, none.at("/nodes/1/gpus/0/holders").size());
    }

    @Test
    void jsonComesInPages() throws Exception {
        JsonNode json = new ObjectMapper()
                .readTree(PowerJson.report(
                        report(),
                        hour(),
                        PageOf.parse("1", "1"),
                        new PowerJson.Seen(job -> true, user -> true, container -> true)));
        assertEquals(1, json.path("nodes").size());
        assertEquals(2, json.path("nodesTotal").asInt());
        assertEquals("NVML 4 <refused>", json.at("/nodes/0/gpus/0/trouble").asText());
        assertEquals(0, json.path("asleep").size());
        assertEquals(1, json.path("asleepTotal").asInt());
        assertEquals(1, json.path("offset").asInt());
    }
}

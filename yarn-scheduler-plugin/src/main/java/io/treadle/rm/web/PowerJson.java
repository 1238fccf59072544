// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.wire.DevicePower;
import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.power.BudgetState;
import io.treadle.rm.power.JobPower;
import io.treadle.rm.power.PowerHistory;
import io.treadle.rm.power.PowerReport;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Power and energy as JSON. */
final class PowerJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private PowerJson() {}

    /**
     * @param page of the nodes, the hosts that are not on, the users and the jobs
     * @param seen what the caller may see
     */
    static String report(PowerReport report, List<PowerHistory.Sample> history, PageOf page, Seen seen) {
        ObjectNode root = MAPPER.createObjectNode();
        root.put("offset", page.offset()).put("limit", page.limit());
        ObjectNode cluster = root.putObject("cluster")
                .put("watts", rounded(report.draw().watts()))
                .put("peakWatts", rounded(report.draw().peakWatts()))
                .put("idleWatts", rounded(report.draw().idleWatts()))
                .put("joules", rounded(report.joules()))
                .put("idleJoules", rounded(report.idleJoules()));
        put(cluster, "budgetWatts", report.budgetWatts());
        putEnergy(cluster, report.energy());
        ArrayNode warnings = cluster.putArray("warnings");
        report.warnings().forEach(warnings::add);
        ArrayNode nodes = list(root, "nodes", report.nodes().size());
        page.of(report.nodes()).forEach(node -> node(nodes.addObject(), node, seen));
        root.put("asleepKnown", report.asleepKnown());
        ArrayNode asleep = list(root, "asleep", report.asleep().size());
        page.of(report.asleep()).forEach(state -> asleep.addObject()
                .put("node", state.node())
                .put("stage", state.stage().name().toLowerCase(Locale.ROOT))
                .put("words", state.stage().words())
                .put("sinceMs", state.sinceMs()));
        ArrayNode queues = root.putArray("queues");
        for (PowerReport.Queue queue : report.queues()) {
            ObjectNode item = queues.addObject()
                    .put("queue", queue.path())
                    .put("watts", rounded(queue.watts()))
                    .put("joules", rounded(queue.joules()))
                    .put("jobs", queue.jobs());
            put(item, "budgetWatts", queue.budgetWatts());
            putEnergy(item, queue.energy());
        }
        List<String> seenUsers =
                report.users().keySet().stream().filter(seen.users()).toList();
        ArrayNode users = list(root, "users", seenUsers.size());
        page.of(seenUsers).forEach(user -> users.addObject()
                .put("user", user)
                .put("joules", rounded(report.users().getOrDefault(user, 0.0))));
        List<JobPower> seenJobs = report.jobs().stream().filter(seen.jobs()).toList();
        ArrayNode jobs = list(root, "jobs", seenJobs.size());
        page.of(seenJobs).forEach(job -> {
            ObjectNode item = jobs.addObject()
                    .put("application", job.owner().application())
                    .put("user", job.owner().user())
                    .put("queue", job.owner().queue());
            putPower(item, job);
        });
        ArrayNode samples = root.putArray("history");
        history.forEach(sample -> sample(samples.addObject(), sample));
        return root.toString();
    }

    /**
     * What a caller may see.
     *
     * @param users by name, what they have spent
     * @param containers by id
     */
    record Seen(Predicate<JobPower> jobs, Predicate<String> users, Predicate<String> containers) {}

    private static ArrayNode list(ObjectNode root, String name, int total) {
        root.put(name + "Total", total);
        return root.putArray(name);
    }

    /** What a job draws and has spent, beside what else is said of it. */
    static void putPower(ObjectNode json, JobPower job) {
        json.put("watts", rounded(job.watts())).put("joules", rounded(job.joules()));
        if (job.joulesPerSample().isPresent()) {
            json.put("joulesPerSample", job.joulesPerSample().getAsDouble());
        } else {
            json.putNull("joulesPerSample");
        }
    }

    private static void node(ObjectNode json, PowerReport.Node node, Seen seen) {
        json.put("node", node.name()).put("watts", rounded(node.watts())).put("source", node.source());
        ArrayNode gpus = json.putArray("gpus");
        for (PowerReport.Gpu gpu : node.gpus()) {
            NodeRecord.Device device = gpu.device();
            ObjectNode item = gpus.addObject()
                    .put("uuid", device.uuid())
                    .put("watts", device.watts())
                    .put("effectiveCapWatts", gpu.capWatts())
                    .put(
                            "wantedCapWatts",
                            device.power().map(DevicePower::wantedCapWatts).orElse(0.0))
                    .put("limitWatts", gpu.limitWatts())
                    .put("actuator", device.power().map(DevicePower::actuator).orElse(""))
                    .put("trouble", device.power().map(DevicePower::trouble).orElse(""));
            ArrayNode holders = item.putArray("holders");
            device.containers().stream().filter(seen.containers()).forEach(holders::add);
        }
    }

    private static void sample(ObjectNode json, PowerHistory.Sample sample) {
        json.put("atMs", sample.atMs()).put("watts", rounded(sample.watts()));
        put(json, "budgetWatts", sample.budgetWatts());
        ObjectNode queues = json.putObject("queues");
        new TreeMap<>(sample.queues()).forEach((queue, watts) -> queues.put(queue, rounded(watts)));
    }

    /** The answer to a change. */
    static String changed(
            PowerChange change,
            OptionalDouble inForce,
            Optional<BudgetState> energy,
            boolean kept,
            List<String> warnings) {
        ObjectNode root = MAPPER.createObjectNode();
        change.queue().ifPresentOrElse(queue -> root.put("queue", queue), () -> root.put("cluster", true));
        put(root, "budgetWatts", inForce);
        putEnergy(root, energy);
        root.put("kept", kept);
        ArrayNode said = root.putArray("warnings");
        warnings.forEach(said::add);
        return root.toString();
    }

    private static void put(ObjectNode json, String name, OptionalDouble watts) {
        if (watts.isPresent()) {
            json.put(name, rounded(watts.getAsDouble()));
        } else {
            json.putNull(name);
        }
    }

    private static void putEnergy(ObjectNode json, Optional<BudgetState> energy) {
        if (energy.isEmpty()) {
            json.putNull("energyBudget");
            return;
        }
        BudgetState state = energy.get();
        ObjectNode item = json.putObject("energyBudget")
                .put("budget", state.budget().text())
                .put("words", state.budget().words())
                .put("usedJoules", rounded(state.usedJoules()));
        put(item, "allowedJoules", finite(state.allowedJoules()));
        put(item, "limitWatts", finite(state.limitWatts()));
        if (state.windowEndMs().isPresent()) {
            item.put("windowEndMs", state.windowEndMs().getAsLong());
        } else {
            item.putNull("windowEndMs");
        }
    }

    private static OptionalDouble finite(double value) {
        return Double.isInfinite(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    private static double rounded(double value) {
        return Math.round(value * 10) / 10.0;
    }
}

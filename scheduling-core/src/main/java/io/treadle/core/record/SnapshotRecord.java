// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.record;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.cluster.Crossing;
import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Overheads;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.SharedStorage;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.cluster.UserView;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.Fields;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A round of a ResourceManager: all that its policy knew, and what it changed (spec: {@code docs/spec/snapshot-record.md}).
 *
 * @param policy the policy's name
 * @param changes by job, what starts and what gets another size; in the order of the plan
 */
public record SnapshotRecord(String policy, Snapshot snapshot, Map<String, Change> changes) {
    private static final int SCHEMA = 1;

    public SnapshotRecord {
        changes = Collections.unmodifiableMap(new LinkedHashMap<>(changes));
    }

    /**
     * What changes for a job.
     *
     * @param starts tasks that start
     * @param sizes new sizes of tasks that run, by id
     * @param stops whether the tasks end that run
     */
    public record Change(List<TaskPlacement> starts, Map<String, ResourceVector> sizes, boolean stops) {
        public Change {
            starts = List.copyOf(starts);
            sizes = Map.copyOf(sizes);
        }
    }

    public static SnapshotRecord of(String policy, Snapshot snapshot, Plan plan) {
        return new SnapshotRecord(policy, snapshot, changes(snapshot, plan.changes(snapshot)));
    }

    /** What decisions come to: a size that a task has already is no change. */
    public static Map<String, Change> changes(Snapshot snapshot, List<Decision> decisions) {
        Map<String, ResourceVector> held = new LinkedHashMap<>();
        snapshot.jobs().forEach(job -> job.tasks().forEach(task -> held.put(task.id(), task.size())));
        Map<String, Change> changes = new LinkedHashMap<>();
        for (Decision decision : decisions) {
            Map<String, ResourceVector> sizes = new LinkedHashMap<>(decision.sizes());
            sizes.entrySet().removeIf(e -> e.getValue().equals(held.get(e.getKey())));
            boolean stops = decision instanceof Decision.Stop || decision instanceof Decision.Move;
            if (!starts(decision).isEmpty() || !sizes.isEmpty() || stops) {
                changes.put(decision.jobId(), new Change(starts(decision), sizes, stops));
            }
        }
        return changes;
    }

    private static List<TaskPlacement> starts(Decision decision) {
        return decision instanceof Decision.Run run
                ? run.tasks()
                : decision instanceof Decision.Move move ? move.tasks() : List.of();
    }

    public String toJson() {
        ObjectNode json = Fields.MAPPER
                .createObjectNode()
                .put("schema", SCHEMA)
                .put("policy", policy)
                .put("nowMs", snapshot.nowMs())
                .put("memoryShared", snapshot.memoryShared());
        ResourceJson.put(json, "largestTask", snapshot.largestTask());
        snapshot.sharedStorage().ifPresent(shared -> json.putObject("sharedStorage")
                .put("megabytesPerSecond", shared.megabytesPerSecond())
                .put("elsewhereMBps", shared.elsewhereMBps())
                .put("gpus", shared.gpus()));
        json.putObject("overheads")
                .put("crossingRacks", snapshot.overheads().crossing().racks())
                .put("crossingNodes", snapshot.overheads().crossing().nodes())
                .put("stopSeconds", snapshot.overheads().stopSeconds())
                .put("moveSeconds", snapshot.overheads().moveSeconds());
        snapshot.power().ifPresent(power -> PowerJson.put(json.putObject("power"), power));
        ArrayNode nodes = json.putArray("nodes");
        snapshot.nodes().forEach(node -> put(nodes.addObject(), node));
        put(json.putObject("queue"), snapshot.queue());
        ArrayNode jobs = json.putArray("jobs");
        snapshot.jobs().forEach(job -> JobJson.put(jobs.addObject(), job));
        ArrayNode array = json.putArray("changes");
        changes.forEach((jobId, change) -> put(array.addObject().put("jobId", jobId), change));
        return json.toString();
    }

    private static void put(ObjectNode json, NodeView node) {
        json.put("id", node.id()).put("rack", node.rack()).put("open", node.open());
        ResourceJson.put(json, "capacity", node.capacity());
        ResourceJson.put(json, "othersUse", node.othersUse());
        ResourceJson.put(json, "othersTasks", node.othersTasks());
        ResourceJson.put(json, "keptFree", node.keptFree());
        ArrayNode devices = json.putArray("devices");
        for (DeviceView device : node.devices()) {
            devices.addObject()
                    .put("uuid", device.uuid())
                    .put("model", device.model())
                    .put("memoryMiB", device.memoryMiB())
                    .put("usedMiB", device.usedMiB())
                    .put("usable", device.usable())
                    .put("link", device.link());
        }
    }

    private static void put(ObjectNode json, QueueView queue) {
        json.put("name", queue.name()).put("othersWait", queue.othersWait());
        ResourceJson.put(json, "limit", queue.limit());
        ResourceJson.put(json, "othersUse", queue.othersUse());
        ArrayNode users = json.putArray("users");
        for (UserView user : queue.users()) {
            ObjectNode node = users.addObject().put("name", user.name());
            ResourceJson.put(node, "limit", user.limit());
            ResourceJson.put(node, "othersUse", user.othersUse());
            ArrayNode jobs = node.putArray("jobIds");
            user.jobIds().stream().sorted().forEach(jobs::add);
        }
    }

    private static void put(ObjectNode json, Change change) {
        ArrayNode starts = json.putArray("starts");
        for (TaskPlacement task : change.starts()) {
            ObjectNode node = starts.addObject().put("group", task.group()).put("nodeId", task.nodeId());
            ResourceJson.put(node, "size", task.size());
            ResourceJson.put(node, task.devices());
        }
        if (change.stops()) {
            json.put("stops", true);
        }
        ArrayNode sizes = json.putArray("sizes");
        new TreeMap<>(change.sizes())
                .forEach((id, size) -> ResourceJson.put(sizes.addObject().put("taskId", id), "size", size));
    }

    /** @throws io.treadle.core.wire.WireFormatException if the text is no such record */
    public static SnapshotRecord fromJson(String what, String text) {
        Fields json = Fields.parse(what, text).checkSchema(SCHEMA);
        Map<String, Change> changes = new LinkedHashMap<>();
        json.objects("changes").forEach(c -> changes.put(c.text("jobId"), change(c)));
        return new SnapshotRecord(
                json.text("policy"),
                new Snapshot(
                        json.integer("nowMs", Long.MIN_VALUE, Long.MAX_VALUE),
                        json.objects("nodes").stream().map(SnapshotRecord::node).toList(),
                        queue(json.object("queue")),
                        json.objects("jobs").stream().map(JobJson::read).toList(),
                        ResourceJson.read(json, "largestTask"),
                        json.flag("memoryShared", false),
                        json.has("sharedStorage")
                                ? Optional.of(sharedStorage(json.object("sharedStorage")))
                                : Optional.empty(),
                        json.has("overheads") ? overheads(json.object("overheads")) : Overheads.NONE,
                        json.has("power") ? Optional.of(PowerJson.power(json.object("power"))) : Optional.empty()),
                changes);
    }

    private static SharedStorage sharedStorage(Fields json) {
        return new SharedStorage(
                json.integer("megabytesPerSecond", 0, Long.MAX_VALUE),
                json.integer("elsewhereMBps", 0, Long.MAX_VALUE, 0),
                json.integer("gpus", 0, Long.MAX_VALUE));
    }

    private static Overheads overheads(Fields json) {
        return new Overheads(
                new Crossing(
                        json.number("crossingRacks", 0, Double.MAX_VALUE),
                        json.number("crossingNodes", 0, Double.MAX_VALUE)),
                json.number("stopSeconds", 0, Double.MAX_VALUE),
                json.number("moveSeconds", 0, Double.MAX_VALUE));
    }

    private static NodeView node(Fields json) {
        return new NodeView(
                json.text("id"),
                json.text("rack"),
                ResourceJson.read(json, "capacity"),
                ResourceJson.read(json, "othersUse"),
                ResourceJson.read(json, "othersTasks"),
                ResourceJson.read(json, "keptFree"),
                json.objects("devices").stream()
                        .map(d -> new DeviceView(
                                d.text("uuid"),
                                d.text("model"),
                                d.integer("memoryMiB", 0, Long.MAX_VALUE),
                                d.integer("usedMiB", Long.MIN_VALUE, Long.MAX_VALUE),
                                d.flag("usable", true),
                                d.text("link")))
                        .toList(),
                json.flag("open", true));
    }

    private static QueueView queue(Fields json) {
        return new QueueView(
                json.text("name"),
                ResourceJson.read(json, "limit"),
                ResourceJson.read(json, "othersUse"),
                json.objects("users").stream()
                        .map(u -> new UserView(
                                u.text("name"),
                                ResourceJson.read(u, "limit"),
                                ResourceJson.read(u, "othersUse"),
                                Set.copyOf(u.texts("jobIds"))))
                        .toList(),
                json.flag("othersWait", false));
    }

    private static Change change(Fields json) {
        Map<String, ResourceVector> sizes = new LinkedHashMap<>();
        json.objects("sizes").forEach(s -> sizes.put(s.text("taskId"), ResourceJson.read(s, "size")));
        return new Change(
                json.objects("starts").stream()
                        .map(t -> new TaskPlacement(
                                t.text("group"),
                                t.text("nodeId"),
                                ResourceJson.read(t, "size"),
                                ResourceJson.devices(t)))
                        .toList(),
                sizes,
                json.flag("stops", false));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.Sizing;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.ps.LayeredPsModel;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.input.JsonLine;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.TextFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;

/** Our own format of jobs with workers and parameter servers, {@code docs/spec/servers-trace.md}: a job a line. */
final class ServersReader implements TraceReader {
    static final String VERSION = "treadle-servers";
    static final String WORKER = "worker";
    static final String SERVER = "ps";

    private static final Pattern BEGIN = Pattern.compile("\"(?:" + VERSION + "|submitSeconds)\"\\s*:");
    private static final int MOST_TASKS = 100_000;
    private static final long MOST_VCORES = 1L << 20;
    private static final long MOST_MIB = 1L << 40;
    private static final double MOST_ITERATIONS = 1e12;

    @Override
    public String format() {
        return "servers";
    }

    @Override
    public boolean recognises(Head head) {
        return head.first().startsWith("{") && BEGIN.matcher(head.first()).find();
    }

    @Override
    public void read(Path file, Intake intake) {
        TextFiles.lines(file, (number, text) -> intake.attempt(() -> read(JsonLine.parse(file, number, text), intake)));
    }

    /** A job that no nodes could ever hold would be tried for ever. */
    @Override
    public Workload prepare(SimCluster cluster, List<TraceJob> jobs, Experiment experiment) {
        jobs.forEach(job -> checkRoom(cluster, job));
        return TraceReader.super.prepare(cluster, jobs, experiment);
    }

    private static void read(JsonLine line, Intake intake) {
        JsonLine version = line.field(VERSION);
        if (version.isThere() && !version.json().asText().equals("1")) {
            throw version.wrong("1, the version of the format that is known");
        }
        String id = line.field("id").text();
        long submitMs = Math.round(line.field("submitSeconds").number(0, Row.MOST_SECONDS) * 1000);
        List<TaskGroup> groups = groups(line);
        LayeredPsModel model = ServerModels.read(line);
        Work work = work(line, model, groups);
        Sizing sizing = new Sizing(ServerModels.utility(line), Optional.of(model), cap(line.field("cap"), groups));
        TraceJob job = new TraceJob(
                        id,
                        line.field("queue").textOr(""),
                        submitMs,
                        groups,
                        work,
                        Optional.empty(),
                        OptionalDouble.empty())
                .ofUser(line.field("user").textOr(""))
                .with(Attributes.ofPriority((int) line.field("priority").wholeOr(0, 0, Attributes.MOST_PRIORITY)))
                .with(sizing);
        if (intake.wants(job.gpus(), work.seconds())) {
            intake.add(line.field("id"), job);
        }
    }

    private static List<TaskGroup> groups(JsonLine line) {
        List<TaskGroup> groups = new ArrayList<>();
        groups.add(scaled(line.field(WORKER), WORKER));
        groups.add(scaled(line.field(SERVER), SERVER));
        if (line.field("others").isThere()) {
            Set<String> names = new HashSet<>(Set.of(WORKER, SERVER));
            for (JsonLine other : line.field("others").list()) {
                String name = other.field("name").text();
                if (!names.add(name)) {
                    throw other.field("name").wrong("a name that no other group has");
                }
                int count = (int) other.field("count").whole(1, MOST_TASKS);
                groups.add(new TaskGroup(name, count, count, ask(other), Set.of()));
            }
        }
        return groups;
    }

    private static TaskGroup scaled(JsonLine group, String name) {
        int min = (int) group.field("min").wholeOr(1, 1, MOST_TASKS);
        int max = (int) group.field("max").whole(min, MOST_TASKS);
        return new TaskGroup(name, min, max, ask(group), Set.of());
    }

    private static ResourceVector ask(JsonLine group) {
        ResourceVector ask = resources(group);
        if (ask.isZero()) {
            throw group.wrong("tasks that ask for GPUs, vcores or memory");
        }
        return ask;
    }

    private static ResourceVector resources(JsonLine of) {
        return ResourceVector.of(
                of.field("gpus").whole(0, Shapes.MOST_GPUS),
                of.field("vcores").whole(0, MOST_VCORES),
                of.field("memoryMiB").whole(0, MOST_MIB));
    }

    private static Optional<ResourceVector> cap(JsonLine cap, List<TaskGroup> groups) {
        if (!cap.isThere()) {
            return Optional.empty();
        }
        ResourceVector most = resources(cap);
        ResourceVector least = least(groups);
        if (!least.fitsIn(most)) {
            throw cap.wrong("at least what the job needs, " + least.describe());
        }
        return Optional.of(most);
    }

    private static ResourceVector least(List<TaskGroup> groups) {
        return groups.stream()
                .map(group -> group.ask().times(group.min()))
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    private static Work work(JsonLine line, LayeredPsModel model, List<TaskGroup> groups) {
        double iterations = line.field("iterations").positive(MOST_ITERATIONS);
        double secondsPerSample =
                1 / model.samplesPerSecond(groups.get(0).min(), groups.get(1).min());
        JsonLine told = line.field(line.field("fitted").isThere() ? "fitted" : "layers");
        if (!(secondsPerSample > 0)) {
            throw told.wrong("what makes an iteration take any time");
        }
        Work work = new Work(iterations * model.batch(), secondsPerSample);
        if (!(work.seconds() <= Row.MOST_SECONDS)) {
            throw line.field("iterations")
                    .wrong("so few that the job ends within " + Row.plain(Row.MOST_SECONDS)
                            + " s on the fewest workers and servers");
        }
        return work;
    }

    private static void checkRoom(SimCluster cluster, TraceJob job) {
        cluster.partitionOf(job.queue()).ifPresent(partition -> {
            ResourceVector least = least(job.groups());
            if (!least.fitsIn(partition.capacity())) {
                throw neverRuns(
                        job,
                        "needs " + least.describe() + ", " + where(partition.name()) + " has "
                                + partition.capacity().describe());
            }
            for (TaskGroup group : job.groups()) {
                if (room(partition.nodes(), group) < group.min()) {
                    throw neverRuns(
                            job,
                            "needs " + group.min() + " tasks '" + group.name() + "' of "
                                    + group.ask().describe() + " each, for which the nodes of "
                                    + where(partition.name())
                                    + " have no room");
                }
            }
        });
    }

    private static long room(List<NodeView> nodes, TaskGroup group) {
        long room = 0;
        for (NodeView node : nodes) {
            room += node.capacity().count(group.ask());
            if (room >= group.min()) {
                break;
            }
        }
        return room;
    }

    private static String where(String partition) {
        return partition.isEmpty() ? "the cluster" : "partition " + partition;
    }

    private static InputException neverRuns(TraceJob job, String why) {
        return new InputException("job '" + job.id() + "' " + why
                + ": it could never run.\nMaybe the cluster does not tell its nodes' vcores and memory.");
    }
}

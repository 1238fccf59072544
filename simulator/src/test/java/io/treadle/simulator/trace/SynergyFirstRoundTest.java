// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import static io.treadle.simulator.trace.SynergyModels.gb;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.placement.Consolidate;
import io.treadle.core.placement.FirstFit;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.resource.ResourceVector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The first round of small clusters, against allocations that the original Synergy code gave. */
class SynergyFirstRoundTest {
    private static final Path SHARED =
            Path.of(System.getProperty("treadle.checkout", "..")).resolve("../shared/data/synergy");
    private static final Pattern ALLOCATION = Pattern.compile("(\\d+): \\(([0-9.]+), ([0-9.]+), ([0-9.]+)\\)");

    @ParameterizedTest
    @CsvSource({
        "tiny1, FIFO+fair, fifo+proportional, false",
        "tiny1, FIFO+tune, fifo+synergy-tune, false",
        "tiny1, FIFO+place+tune, fifo+synergy-tune, true",
        "tiny2, FIFO+fair, fifo+proportional, false",
        "tiny2, FIFO+tune, fifo+synergy-tune, false",
        "tiny2, FIFO+place+tune, fifo+synergy-tune, true",
    })
    void allocatesAsTheOriginal(String trace, String scheduler, String policy, boolean consolidated)
            throws IOException {
        assumeTrue(Files.isDirectory(SHARED), () -> "the reference vectors are not beside this checkout: " + SHARED);
        List<String> jobs = Files.readAllLines(SHARED.resolve(trace + ".trace"));
        int servers = trace.equals("tiny1") ? 1 : 2;
        Plan plan = PolicyRegistry.BUILT_IN
                .policy(policy, consolidated ? new Consolidate() : new FirstFit())
                .plan(snapshot(jobs, servers));

        Map<String, String> expected = new TreeMap<>();
        boolean here = false;
        for (String line : Files.readAllLines(SHARED.resolve("tiny_expected.txt"))) {
            if (line.startsWith("== ")) {
                here = line.equals("== " + trace + " " + scheduler);
            } else if (here && line.startsWith("job ")) {
                List<String> parts = new ArrayList<>();
                Matcher matcher = ALLOCATION.matcher(line.substring(line.indexOf("alloc")));
                while (matcher.find()) {
                    parts.add(allocation(
                            matcher.group(1),
                            Double.parseDouble(matcher.group(2)),
                            Double.parseDouble(matcher.group(3)),
                            Double.parseDouble(matcher.group(4))));
                }
                expected.put(line.split(" ", -1)[1], String.join(" ", parts));
            }
        }
        assertEquals(8, expected.size());
        assertEquals(expected, allocations(plan));
    }

    /** A fixture of ours: one server of 4 GPUs, 12 CPUs, 250 GB; worked out by hand. */
    @Test
    void sensitiveJobTakesWhatInsensitiveOnesLeave() {
        List<String> jobs = List.of("0,gnmt,0,1,1", "1,res18,1,1,1", "2,transformer,2,1,1", "3,lstm,3,1,1");
        NodeView server = new NodeView(
                "0", "r", ResourceVector.of(4, 12, gb(250)), ResourceVector.ZERO, ResourceVector.ZERO, List.of(), true);
        Plan plan = PolicyRegistry.BUILT_IN
                .policy("fifo+synergy-tune", new FirstFit())
                .plan(snapshotOn(jobs, List.of(server)));
        assertEquals(
                Map.of(
                        "0",
                        "0: 1 GPUs 1 CPUs 20.0 GB",
                        "1",
                        "0: 1 GPUs 9 CPUs 62.5 GB",
                        "2",
                        "0: 1 GPUs 1 CPUs 20.0 GB",
                        "3",
                        "0: 1 GPUs 1 CPUs 20.0 GB"),
                allocations(plan));
    }

    /** The third job needs its share: the first, which took more than its own, gives way. */
    @Test
    void peerFallsBackToItsShare() {
        List<String> jobs = List.of("0,res18,0,1,1", "1,mobilenet,1,1,1");
        NodeView server = new NodeView(
                "0", "r", ResourceVector.of(2, 10, gb(250)), ResourceVector.ZERO, ResourceVector.ZERO, List.of(), true);
        Plan plan = PolicyRegistry.BUILT_IN
                .policy("fifo+synergy-tune", new FirstFit())
                .plan(snapshotOn(jobs, List.of(server)));
        assertEquals(Map.of("0", "0: 1 GPUs 5 CPUs 125.0 GB", "1", "0: 1 GPUs 5 CPUs 125.0 GB"), allocations(plan));
    }

    private static Snapshot snapshot(List<String> jobs, int servers) {
        List<NodeView> nodes = new ArrayList<>();
        for (int i = 0; i < servers; i++) {
            nodes.add(new NodeView(
                    Integer.toString(i),
                    "r",
                    ResourceVector.of(8, 24, gb(500)),
                    ResourceVector.ZERO,
                    ResourceVector.ZERO,
                    List.of(),
                    true));
        }
        return snapshotOn(jobs, nodes);
    }

    private static Snapshot snapshotOn(List<String> trace, List<NodeView> nodes) {
        List<JobView> jobs = new ArrayList<>();
        for (String line : trace) {
            String[] row = line.split(",", -1);
            int gpus = Integer.parseInt(row[4]);
            jobs.add(new JobView(
                    row[0],
                    Math.round(Double.parseDouble(row[2]) * 1000),
                    List.of(new TaskGroup("worker", gpus, gpus, ResourceVector.of(1, 0, 0), Set.of())),
                    List.of(),
                    Optional.of(SynergyModels.find(row[1]).orElseThrow().speed()),
                    false,
                    Progress.NONE,
                    Set.of()));
        }
        ResourceVector all = nodes.stream().map(NodeView::capacity).reduce(ResourceVector.ZERO, ResourceVector::plus);
        return new Snapshot(0, nodes, new QueueView("root.ml", all, ResourceVector.ZERO), jobs, true);
    }

    private static Map<String, String> allocations(Plan plan) {
        Map<String, String> result = new TreeMap<>();
        for (Decision decision : plan.decisions()) {
            assertTrue(decision instanceof Decision.Run, () -> decision.toString());
            Map<String, ResourceVector> byNode = new TreeMap<>();
            ((Decision.Run) decision).tasks().forEach(t -> byNode.merge(t.nodeId(), t.size(), ResourceVector::plus));
            List<String> parts = new ArrayList<>();
            byNode.forEach((node, r) -> parts.add(allocation(node, r.gpus(), r.vcores(), r.memoryMiB() / 1024.0)));
            result.put(decision.jobId(), String.join(" ", parts));
        }
        return result;
    }

    private static String allocation(String server, double gpus, double cpus, double memoryGb) {
        return String.format(Locale.ROOT, "%s: %.0f GPUs %.0f CPUs %.1f GB", server, gpus, cpus, memoryGb);
    }
}

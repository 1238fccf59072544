// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.treadle.am.client.ClusterView.Node;
import io.treadle.am.client.ClusterView.Queue;
import io.treadle.am.spec.JobSpec;
import io.treadle.am.spec.JobSpecParser;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SpecChecksTest {
    private static final Set<String> TYPES = Set.of("memory-mb", "vcores", "yarn.io/gpu", "treadle.io/gpu-memory");
    private static final ResourceVector NODE = new ResourceVector(8, 64, 65_536, 327_680, 0, 0);

    private final ClusterView cluster = new ClusterView(
            TYPES,
            new ResourceVector(8, 32, 32_768, Long.MAX_VALUE, 0, 0),
            List.of(
                    new Node("big:1", NODE),
                    new Node("cpu:1", ResourceVector.of(0, 32, 131_072)),
                    new Node("gpu:1", ResourceVector.of(4, 8, 16_384))),
            List.of(
                    new Queue(
                            "root.prod", true, true, Optional.of(new ResourceVector(12, 104, 212_992, 327_680, 0, 0))),
                    new Queue("root.research", true, true, Optional.of(ResourceVector.of(2, 100, 100_000))),
                    new Queue("root.dev", false, true, Optional.empty()),
                    new Queue("root.dev.a", true, true, Optional.empty()),
                    new Queue("root.dev.b", true, false, Optional.empty())));

    /** No node comes. */
    private static SpecChecks checks(ClusterView cluster) {
        return new SpecChecks(cluster, () -> false, () -> {
            throw new AssertionError("the limits are in what YARN grants at most");
        });
    }

    private static JobSpec spec(String queue, String task) {
        return JobSpecParser.fromYaml("j.yaml", "queue: '" + queue + "'\ntasks: {worker: {command: x, " + task + "}}");
    }

    private String refusal(String queue, String task) {
        return assertThrows(ClientException.class, () -> checks(cluster).check(spec(queue, task)))
                .getMessage();
    }

    private void accepted(String queue, String task) {
        assertDoesNotThrow(() -> checks(cluster).check(spec(queue, task)));
    }

    @Test
    void acceptsWhatFits() {
        accepted("root.prod", "count: 3, gpusPerWorker: 4, memory: 4Gi");
        accepted("prod", "count: 1, gpuMemory: 40Gi");
        accepted("", "count: 1");
    }

    @Test
    void resourceThatTheClusterLacks() {
        assertEquals(
                "task group 'worker' sets 'power', but the cluster has no resource 'treadle.io/power'; it has memory-mb,"
                        + " treadle.io/gpu-memory, vcores, yarn.io/gpu.\nMaybe drop 'power', or have the resource added to"
                        + " yarn.resource-types.",
                refusal("", "power: 300W"));
    }

    @Test
    void moreThanYarnGrants() {
        assertEquals(
                "task group 'worker' asks for 40 vcores per task, YARN grants at most 32 vcores to one container.\n"
                        + "Maybe lower 'vcores' and raise 'count'.",
                refusal("", "vcores: 40"));
    }

    @Test
    void moreThanAnyNodeHas() {
        ClusterView small = new ClusterView(TYPES, ResourceVector.of(99, 99, 1 << 20), cluster.nodes(), List.of());
        ClientException error =
                assertThrows(ClientException.class, () -> checks(small).check(spec("", "gpusPerWorker: 16")));
        assertEquals(
                "task group 'worker' asks for 16 GPUs per task, the largest node has 8 GPUs.\n"
                        + "Maybe lower 'gpusPerWorker' and raise 'count'.",
                error.getMessage());
    }

    @Test
    void noNodeHasItTogether() {
        ClusterView split = new ClusterView(
                TYPES,
                ResourceVector.of(99, 99, 1 << 20),
                List.of(
                        new Node("a:1", ResourceVector.of(4, 2, 4096)),
                        new Node("b:1", ResourceVector.of(0, 64, 4096))),
                List.of());
        ClientException error =
                assertThrows(ClientException.class, () -> checks(split).check(spec("", "gpusPerWorker: 2, vcores: 8")));
        assertEquals(
                "task group 'worker' asks for 2 GPUs, 8 vcores, 2048 MiB per task, which no node has together: a:1 has 4"
                        + " GPUs, 2 vcores, 4096 MiB; b:1 has 64 vcores, 4096 MiB.\nMaybe ask for less of one of them.",
                error.getMessage());
    }

    @Test
    void moreThanTheClusterHas() {
        assertEquals(
                "the cluster has 12 GPUs; this job's gang needs 16 (4 workers × 4 GPUs).\n"
                        + "Maybe lower 'count', or mark the group elastic with 'min: 1'.",
                refusal("root.prod", "count: 4, gpusPerWorker: 4"));
        accepted("root.prod", "count: 4, min: 3, gpusPerWorker: 4");
    }

    @Test
    void gangThatFitsInSumButNotOnNodes() {
        assertEquals(
                "at most 3 tasks of group 'worker' (3 GPUs, 1 vcore, 2048 MiB each) fit on the cluster's 3 nodes at once;"
                        + " this job's gang needs 4.\nMaybe ask for less per task, or mark the group elastic with 'min: 1'.",
                refusal("root.prod", "count: 4, gpusPerWorker: 3"));
    }

    @Test
    void moreThanTheQueueCanHold() {
        assertEquals(
                "queue 'root.research' can hold at most 2 GPUs; this job's gang needs 8 (2 workers × 4 GPUs).\n"
                        + "Maybe lower 'count', submit to 'root.prod' (at most 12), or mark the group elastic with"
                        + " 'min: 1'.",
                refusal("root.research", "count: 2, gpusPerWorker: 4"));
    }

    @Test
    void queueThatTakesNoJobs() {
        assertEquals(
                "queue 'root.dev' is a parent queue, must be a leaf.\nMaybe one of 'root.dev.a'.",
                refusal("dev", "count: 1"));
        assertEquals(
                "queue 'root.dev.b' is stopped and takes no jobs.\nMaybe one of 'root.prod', 'root.research',"
                        + " 'root.dev.a'.",
                refusal("root.dev.b", "count: 1"));
        assertEquals("there is no queue 'root2.prod'.\nMaybe 'root.prod'.", refusal("root2.prod", "count: 1"));
        assertEquals(
                "there is no queue 'nowhere'.\nMaybe one of 'root.prod', 'root.research', 'root.dev.a'.",
                refusal("nowhere", "count: 1"));
    }

    @Test
    void yarnDecidesOnQueuesThatItMayCreate() {
        accepted("root.dev.new", "count: 1");
    }

    @Test
    void anEmptyClusterRefusesNothingByNumbers() {
        ClusterView empty = new ClusterView(TYPES, ResourceVector.of(99, 99, 1 << 20), List.of(), List.of());
        assertDoesNotThrow(() -> checks(empty).check(spec("a.b", "count: 9, gpusPerWorker: 9")));
    }

    @Test
    void anApplicationMasterThatIsTooLarge() {
        JobSpec spec = JobSpecParser.fromYaml("j.yaml", "appMaster: {memory: 64Gi}\ntasks: {worker: {command: x}}");
        ClientException error =
                assertThrows(ClientException.class, () -> checks(cluster).check(spec));
        assertEquals(
                "appMaster asks for 65536 MiB of memory, YARN grants at most 32768 MiB of memory to one container.",
                error.getMessage());
    }

    /** A job that needs nodes which are switched off wakes them: the scheduler knows how many there are. */
    @Test
    void whatHasNoRoomIsLeftToTheSchedulerWhereNodesAreOff() {
        SpecChecks checks = new SpecChecks(cluster, () -> true, cluster::largest);
        assertDoesNotThrow(() -> checks.check(spec("", "count: 99, gpusPerWorker: 1")));
        assertThrows(
                ClientException.class, () -> checks.check(spec("", "gpusPerWorker: 99")), "no container is so large");
        assertThrows(ClientException.class, () -> checks.check(spec("nowhere.at.all", "count: 1")));
    }

    /** YARN's largest container is no larger than the largest node that is registered. */
    @Test
    void aTaskThatOnlyLostNodesCanHoldIsLeftToTheScheduler() {
        ClusterView small = new ClusterView(
                TYPES,
                ResourceVector.of(0, 32, 32_768),
                List.of(new Node("cpu:1", ResourceVector.of(0, 32, 131_072))),
                List.of());
        JobSpec large = spec("", "gpusPerWorker: 8");
        ClientException error =
                assertThrows(ClientException.class, () -> checks(small).check(large));
        assertEquals(
                "task group 'worker' asks for 8 GPUs per task, YARN grants at most 0 GPUs to one container.\n"
                        + "Maybe lower 'gpusPerWorker' and raise 'count'.",
                error.getMessage());
        assertDoesNotThrow(() -> new SpecChecks(small, () -> true, () -> NODE).check(large));
        assertThrows(
                ClientException.class,
                () -> new SpecChecks(small, () -> true, () -> ResourceVector.of(4, 99, 1 << 20)).check(large));
    }
}

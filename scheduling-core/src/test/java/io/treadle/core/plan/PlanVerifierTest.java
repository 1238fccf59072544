// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.SharedStorage;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.cluster.UserView;
import io.treadle.core.explain.Reason;
import io.treadle.core.job.DeviceShare;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each rule of the verifier, broken alone: what every other test of plans relies on. */
class PlanVerifierTest {
    private static final Reason REASON = new Reason.AtShare("", "");
    private static final long CARD_MIB = 40_960;
    private static final ResourceVector ASK = ResourceVector.of(1, 2, 1024);
    private static final ResourceVector SIZE = ResourceVector.of(1, 3, 1024);
    private static final DeviceShare A0 = new DeviceShare("a0", CARD_MIB, true);
    private static final DeviceShare A1 = new DeviceShare("a1", CARD_MIB, true);

    private static final NodeView KNOWN_CARDS = new NodeView(
            "a:1",
            "/rack",
            ResourceVector.of(6, 16, 16_384),
            ResourceVector.of(0, 1, 0),
            ResourceVector.ZERO,
            List.of(
                    new DeviceView("a0", "A100", CARD_MIB, 0, true),
                    new DeviceView("a1", "A100", CARD_MIB, 0, true),
                    new DeviceView("a2", "A100", CARD_MIB, 0, true),
                    new DeviceView("lost", "A100", CARD_MIB, 0, false),
                    new DeviceView("other", "T4", CARD_MIB, 0, true),
                    new DeviceView("sliced", "A100", CARD_MIB, 1000, true)),
            true);
    private static final NodeView COUNTED_CARDS = node("b:1", true);

    /** A job of two tasks that waits, and one of a single task that runs. */
    private static final Snapshot SNAPSHOT = new Snapshot(
            0,
            List.of(KNOWN_CARDS, COUNTED_CARDS, node("closed:1", false)),
            new QueueView(
                    "root.q",
                    ResourceVector.of(5, 14, 8192),
                    ResourceVector.ZERO,
                    List.of(new UserView("ann", ResourceVector.of(2, 20, 3072), ResourceVector.ZERO, Set.of("new"))),
                    false),
            List.of(
                    new JobView(
                            "new",
                            0,
                            List.of(new TaskGroup("worker", 2, 2, ASK, Set.of("A100"))),
                            List.of(),
                            Optional.empty(),
                            false,
                            Progress.NONE,
                            Set.of("avoided:1")),
                    new JobView(
                            "old",
                            0,
                            List.of(new TaskGroup("worker", 1, 1, ASK, Set.of())),
                            List.of(new RunningTask("t1", "worker", "b:1", ResourceVector.of(1, 4, 1024), List.of())),
                            Optional.empty(),
                            false,
                            Progress.NONE,
                            Set.of())),
            false);

    private static final Decision KEEP = new Decision.Resize("old", Map.of(), REASON);
    private static final Decision WAIT = new Decision.Wait("new", REASON);

    private static NodeView node(String id, boolean open) {
        return new NodeView(
                id, "/rack", ResourceVector.of(2, 8, 8192), ResourceVector.ZERO, ResourceVector.ZERO, List.of(), open);
    }

    private static TaskPlacement on(String node, ResourceVector size, DeviceShare... devices) {
        return new TaskPlacement("worker", node, size, List.of(devices));
    }

    private static Decision run(TaskPlacement... tasks) {
        return new Decision.Run("new", List.of(tasks), Map.of(), REASON);
    }

    private static Decision resize(long gpus, long vcores) {
        return new Decision.Resize("old", Map.of("t1", ResourceVector.of(gpus, vcores, 1024)), REASON);
    }

    private static void assertBreaks(List<String> rules, Decision... decisions) {
        assertEquals(rules, PlanVerifier.problems(SNAPSHOT, new Plan(List.of(decisions))));
    }

    @Test
    void goodPlanBreaksNothing() {
        assertBreaks(List.of(), run(on("a:1", SIZE, A0), on("a:1", SIZE, A1)), resize(1, 8));
        assertBreaks(List.of(), WAIT, resize(1, 1));
    }

    @Test
    void everyJobIsDecidedOnce() {
        assertBreaks(List.of("job new is not decided"), KEEP);
        assertBreaks(List.of("job new is decided twice"), WAIT, KEEP, WAIT);
    }

    @Test
    void whatRunsIsNotStoppedAndKeepsItsGpus() {
        assertBreaks(List.of("job old runs and is told to wait"), WAIT, new Decision.Wait("old", REASON));
        assertBreaks(List.of("task t1 holds 1 GPUs and is resized to 2"), WAIT, resize(2, 4));
        assertBreaks(
                List.of("job old has no running task t9"), WAIT, new Decision.Resize("old", Map.of("t9", ASK), REASON));
    }

    @Test
    void gangsStartWhole() {
        assertBreaks(
                List.of("job new starts 1 tasks of group worker, its gang lacks 2"), run(on("a:1", SIZE, A0)), KEEP);
        assertBreaks(
                List.of("job new starts 3 tasks of group worker, its gang lacks 2"),
                run(on("a:1", ASK, A0), on("a:1", ASK, A1), on("a:1", ASK, whole("a2"))),
                KEEP);
    }

    @Test
    void tasksStartWhereTheyMay() {
        assertBreaks(
                List.of("job new starts on node closed:1, which is not open to it"),
                run(on("a:1", SIZE, A0), on("closed:1", SIZE)),
                KEEP);
        assertBreaks(
                List.of("job new starts on node nowhere:1, which is not open to it"),
                run(on("a:1", SIZE, A0), on("nowhere:1", SIZE)),
                KEEP);
        assertBreaks(
                List.of("job new starts on node avoided:1, which is not open to it"),
                run(on("a:1", SIZE, A0), on("avoided:1", SIZE)),
                KEEP);
    }

    @Test
    void tasksGetWhatTheyAskFor() {
        assertBreaks(
                List.of("job new asks for 1 GPU, 2 vcores, 1024 MiB and gets 1 GPU, 1 vcore, 1024 MiB"),
                run(on("a:1", SIZE, A0), on("a:1", ResourceVector.of(1, 1, 1024), A1)),
                KEEP);
        assertBreaks(
                List.of("job new asks for 1 GPU, 2 vcores, 1024 MiB and gets devices []"),
                run(on("a:1", SIZE, A0), on("b:1", SIZE)),
                KEEP);
        assertBreaks(
                List.of("job new asks for 1 GPU, 2 vcores, 1024 MiB and gets devices [" + A1 + ", " + whole("a2")
                        + "]"),
                run(on("a:1", SIZE, A0), on("a:1", SIZE, A1, whole("a2"))),
                KEEP);
    }

    @Test
    void devicesAreOnesThatTheJobCanUse() {
        for (DeviceShare share :
                List.of(whole("lost"), whole("other"), whole("unknown"), new DeviceShare("a1", CARD_MIB - 1, true))) {
            assertBreaks(
                    List.of("job new gets device " + share + " on a:1, which it cannot use"),
                    run(on("a:1", SIZE, A0), on("a:1", SIZE, share)),
                    KEEP);
        }
    }

    @Test
    void noDeviceIsGivenTwiceNorWhileOthersHoldAPart() {
        assertBreaks(
                List.of("device a0 has 40960 MiB left, the plan hands out 81920"),
                run(on("a:1", SIZE, A0), on("a:1", SIZE, A0)),
                KEEP);
        assertBreaks(
                List.of("device sliced has 39960 MiB left, the plan hands out 40960"),
                run(on("a:1", SIZE, A0), on("a:1", SIZE, whole("sliced"))),
                KEEP);
    }

    @Test
    void nothingIsOverCapacity() {
        assertBreaks(
                List.of("node b:1 has 2 GPUs, 8 vcores, 8192 MiB, the plan hands out 1 GPU, 9 vcores, 1024 MiB"),
                WAIT,
                resize(1, 9));
        // One vcore of the sixteen is held by others.
        assertBreaks(
                List.of(
                        "node a:1 has 6 GPUs, 15 vcores, 16384 MiB, the plan hands out 2 GPUs, 16 vcores, 2048 MiB",
                        "queue root.q may hold 5 GPUs, 14 vcores, 8192 MiB, the plan hands out 3 GPUs, 20 vcores, 3072"
                                + " MiB"),
                run(on("a:1", ResourceVector.of(1, 8, 1024), A0), on("a:1", ResourceVector.of(1, 8, 1024), A1)),
                KEEP);
        assertBreaks(
                List.of("queue root.q may hold 5 GPUs, 14 vcores, 8192 MiB, the plan hands out 3 GPUs, 15 vcores, 3072"
                        + " MiB"),
                run(on("a:1", SIZE, A0), on("a:1", ResourceVector.of(1, 4, 1024), A1)),
                resize(1, 8));
    }

    @Test
    void sharedFileSystemIsNotOverdrawn() {
        List<NodeView> nodes = List.of(reading("a:1", 0), reading("b:1", 100), reading("c:1", 0));
        Snapshot reads = new Snapshot(
                        0,
                        nodes,
                        new QueueView(
                                "root.q", ResourceVector.of(6, 24, 24_576).withStorageMBps(1200), ResourceVector.ZERO),
                        SNAPSHOT.jobs(),
                        false)
                .withSharedStorage(Optional.of(new SharedStorage(500, 50, 8)));
        // Of 500 MB/s others hold 50 elsewhere and 100 on b.
        assertEquals(
                List.of(), PlanVerifier.problems(reads, new Plan(List.of(WAIT, resize(ASK.withStorageMBps(300))))));
        assertEquals(
                List.of("the shared file system has 350 MB/s for these jobs, the plan hands out 400 MB/s"),
                PlanVerifier.problems(
                        reads,
                        new Plan(List.of(
                                new Decision.Run(
                                        "new",
                                        List.of(
                                                new TaskPlacement(
                                                        "worker", "a:1", ASK.withStorageMBps(100), List.of(A0)),
                                                new TaskPlacement(
                                                        "worker", "a:1", ASK.withStorageMBps(100), List.of(A1))),
                                        Map.of(),
                                        REASON),
                                resize(ASK.withStorageMBps(200))))));
    }

    private static NodeView reading(String id, long othersUse) {
        return new NodeView(
                id,
                "/rack",
                ResourceVector.of(2, 8, 8192).withStorageMBps(400),
                ResourceVector.ZERO.withStorageMBps(othersUse),
                ResourceVector.ZERO,
                id.equals("a:1") ? KNOWN_CARDS.devices().subList(0, 2) : List.of(),
                true);
    }

    private static Decision resize(ResourceVector size) {
        return new Decision.Resize("old", Map.of("t1", size), REASON);
    }

    @Test
    void onlyTheLastTaskThatStartsGoesAboveTheUsersLimit() {
        ResourceVector large = ResourceVector.of(1, 2, 4096);
        assertBreaks(List.of(), run(on("a:1", ResourceVector.of(1, 2, 2048), A0), on("a:1", large, A1)), KEEP);
        assertBreaks(
                List.of("user ann may hold 2 GPUs, 20 vcores, 3072 MiB of queue root.q for these jobs, the plan hands"
                        + " out 2 GPUs, 4 vcores, 6146 MiB"),
                run(on("a:1", ResourceVector.of(1, 2, 3073), A0), on("a:1", ResourceVector.of(1, 2, 3073), A1)),
                KEEP);
    }

    @Test
    void whatRunsAlreadyIsNotThePlansFault() {
        Snapshot shrunk = new Snapshot(
                0,
                List.of(new NodeView(
                        "b:1",
                        "/rack",
                        ResourceVector.of(2, 8, 8192),
                        ResourceVector.of(0, 8, 8192),
                        ResourceVector.ZERO,
                        List.of(),
                        true)),
                new QueueView("root.q", ResourceVector.ZERO, ResourceVector.ZERO),
                List.of(SNAPSHOT.jobs().get(1)),
                false);
        assertEquals(List.of(), PlanVerifier.problems(shrunk, new Plan(List.of(KEEP))));
        assertEquals(
                2,
                PlanVerifier.problems(shrunk, new Plan(List.of(resize(1, 5)))).size(),
                "node and queue");
    }

    private static DeviceShare whole(String uuid) {
        return new DeviceShare(uuid, CARD_MIB, true);
    }

    private static Decision move(TaskPlacement... tasks) {
        return new Decision.Move("old", List.of(tasks), REASON);
    }

    private static void assertBreaksWithStops(List<String> rules, Decision... decisions) {
        assertEquals(rules, PlanVerifier.problemsWithStops(SNAPSHOT, new Plan(List.of(decisions))));
    }

    @Test
    void whoStopsJobsMayStopThemAndLetThemGoOnElsewhere() {
        assertBreaksWithStops(List.of(), WAIT, new Decision.Stop("old", REASON));
        assertBreaksWithStops(List.of(), WAIT, move(on("b:1", SIZE)));
        assertBreaks(
                List.of("job old is stopped, which the policy does not do"), WAIT, new Decision.Stop("old", REASON));
    }

    @Test
    void whatIsGivenBackIsThereForOthersAndNoMore() {
        // Of the queue's 14 vcores ten are left without it, and nothing with it.
        assertBreaksWithStops(
                List.of(),
                run(on("a:1", ResourceVector.of(1, 7, 1024), A0), on("a:1", ResourceVector.of(1, 7, 1024), A1)),
                new Decision.Stop("old", REASON));
        assertBreaksWithStops(
                List.of(
                        "queue root.q may hold 5 GPUs, 14 vcores, 8192 MiB, the plan hands out 3 GPUs, 16 vcores, 3072 MiB"),
                run(on("a:1", ResourceVector.of(1, 7, 1024), A0), on("a:1", ResourceVector.of(1, 7, 1024), A1)),
                move(on("b:1", ASK)));
    }

    @Test
    void onlyWhoRunsIsStoppedOrMoved() {
        assertBreaksWithStops(
                List.of("job new does not run and is stopped or moved"), KEEP, new Decision.Stop("new", REASON));
    }

    @Test
    void aMoveKeepsTheRulesOfAStart() {
        assertBreaksWithStops(
                List.of("job old starts on node closed:1, which is not open to it"), WAIT, move(on("closed:1", SIZE)));
        assertBreaksWithStops(
                List.of("job old starts 2 tasks of group worker, its gang lacks 1"),
                WAIT,
                move(on("b:1", SIZE), on("b:1", SIZE)));
        assertBreaksWithStops(
                List.of("node b:1 has 2 GPUs, 8 vcores, 8192 MiB, the plan hands out 1 GPU, 9 vcores, 1024 MiB"),
                WAIT,
                move(on("b:1", ResourceVector.of(1, 9, 1024))));
    }
}

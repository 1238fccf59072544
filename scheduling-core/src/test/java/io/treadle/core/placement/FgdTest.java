// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Cards have 1000 MiB here: a MiB is a thousandth of a GPU. */
class FgdTest {
    private static final TaskSizer AS_ASKED = (group, node) -> group.ask();
    private static final TaskGroup WHOLE = gpus(1, 1);
    private static final TaskGroup SLICE = slice(400);

    @Test
    void aWholeGpuIsNotBrokenForASlice() {
        List<NodeView> nodes = List.of(node("empty", 8, 1000, 1000), node("used", 8, 500));
        assertEquals("used 0", place(nodes, SLICE, WHOLE));
    }

    @Test
    void whatIsLeftIsOfUseToWhatUsuallyComes() {
        // Best fit takes the fuller one: 100 MiB would be left there, of no use to a slice of 300.
        List<NodeView> nodes = List.of(node("fuller", 8, 500), node("other", 8, 700));
        assertEquals("other 0", place(nodes, SLICE, slice(300)));
        List<TaskPlacement> bestFit = new BestFit()
                .place(job(SLICE), List.of(SLICE), AS_ASKED, ledger(nodes))
                .orElseThrow();
        assertEquals("fuller", bestFit.get(0).nodeId());
    }

    @Test
    void theDeviceIsChosenTheSameWay() {
        assertEquals("node 1", place(List.of(node("node", 8, 500, 700)), SLICE, slice(300)));
    }

    @Test
    void gpusWithoutCpuAreLost() {
        // Two vcores are taken of either; where three are left the typical task still runs.
        List<NodeView> nodes = List.of(node("poor", 4, 1000, 1000), node("rich", 5, 1000, 1000));
        assertEquals("rich", place(nodes, gpus(1, 2), gpus(1, 3)));
    }

    @Test
    void ofNodesThatAreAlikeTheFirstIsTaken() {
        List<NodeView> nodes = List.of(node("z", 8, 1000), node("a", 8, 1000));
        assertEquals("z", place(nodes, WHOLE, WHOLE));
    }

    @Test
    void theJobsOfTheQueueStandForWhatUsuallyComes() {
        List<NodeView> nodes = List.of(node("fuller", 8, 500), node("other", 8, 700));
        Ledger ledger = ledger(nodes, slice(300), slice(300), slice(300), SLICE);
        List<TaskPlacement> placed =
                new Fgd().place(job(SLICE), List.of(SLICE), AS_ASKED, ledger).orElseThrow();
        assertEquals("other", placed.get(0).nodeId());
    }

    @Test
    void worthIsTheSigmoidOfWhatIsLostLess() {
        TypicalTasks typical = TypicalTasks.of(Stream.of(slice(300)));
        Ledger ledger = ledger(List.of(node("fuller", 8, 500), node("other", 8, 700), node("small", 8, 399)));
        Fragments fragments = new Fragments(ledger, typical);
        // 100 of 500 are lost more, nothing of 700.
        assertEquals(
                (long) (100 / (1 + Math.exp(.1))),
                fragments.worth(0, SLICE, SLICE.ask()).score());
        assertEquals(50, fragments.worth(1, SLICE, SLICE.ask()).score());
        assertEquals(HighestScore.NONE, fragments.worth(2, SLICE, SLICE.ask()).score());
    }

    @Test
    void worthFollowsTheNode() {
        Ledger ledger = ledger(List.of(node("node", 8, 1000)));
        Fragments fragments = new Fragments(ledger, TypicalTasks.of(Stream.of(slice(300))));
        assertEquals(50, fragments.worth(0, SLICE, SLICE.ask()).score());
        ledger.take("other", 0, SLICE.ask(), ledger.chooseDevices(0, SLICE).orElseThrow());
        // 600 left and 200 after: too little for a slice of 300.
        assertEquals(
                (long) (100 / (1 + Math.exp(.2))),
                fragments.worth(0, SLICE, SLICE.ask()).score());
    }

    private static String place(List<NodeView> nodes, TaskGroup group, TaskGroup typical) {
        Placement fgd = new Fgd().expecting(() -> TypicalTasks.of(Stream.of(typical)));
        TaskPlacement task = fgd.place(job(group), List.of(group), AS_ASKED, ledger(nodes))
                .orElseThrow()
                .get(0);
        return group.ask().gpuMemoryMiB() > 0 ? task.devices().get(0).uuid() : task.nodeId();
    }

    private static Ledger ledger(List<NodeView> nodes, TaskGroup... groups) {
        ResourceVector all = nodes.stream().map(NodeView::capacity).reduce(ResourceVector.ZERO, ResourceVector::plus);
        QueueView queue = new QueueView("root.q", all, ResourceVector.ZERO);
        return new Ledger(new Snapshot(
                0, nodes, queue, Stream.of(groups).map(FgdTest::job).toList(), false));
    }

    /** @param freeMiB of each GPU */
    private static NodeView node(String id, long vcores, long... freeMiB) {
        List<DeviceView> devices = new ArrayList<>();
        for (long free : freeMiB) {
            devices.add(new DeviceView(id + " " + devices.size(), "A100", 1000, 1000 - free, true));
        }
        ResourceVector capacity =
                ResourceVector.of(devices.size(), vcores, 8192).withGpuMemoryMiB(1000L * devices.size());
        return new NodeView(id, "/rack", capacity, ResourceVector.ZERO, ResourceVector.ZERO, devices, true);
    }

    private static TaskGroup gpus(long gpus, long vcores) {
        return new TaskGroup("worker", 1, 1, ResourceVector.of(gpus, vcores, 1024), Set.of());
    }

    private static TaskGroup slice(long memoryMiB) {
        return new TaskGroup("worker", 1, 1, ResourceVector.of(0, 1, 1024).withGpuMemoryMiB(memoryMiB), Set.of());
    }

    private static JobView job(TaskGroup group) {
        return new JobView("job", 0, List.of(group), List.of(), Optional.empty(), false, Progress.NONE, Set.of());
    }
}

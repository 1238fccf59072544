// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class EvenSpreadTest {
    private static final TaskGroup WORKER = new TaskGroup("worker", 1, 16, ResourceVector.of(1, 1, 1), Set.of());
    private static final TaskGroup SERVER = new TaskGroup("ps", 1, 16, ResourceVector.of(0, 1, 1), Set.of());
    private static final JobView JOB =
            new JobView("job", 0, List.of(WORKER, SERVER), List.of(), Optional.empty(), false, Progress.NONE, Set.of());

    private static Ledger ledger(long... freeGpus) {
        List<NodeView> nodes = new ArrayList<>();
        for (int i = 0; i < freeGpus.length; i++) {
            nodes.add(new NodeView(
                    "n" + i,
                    "r",
                    ResourceVector.of(8, 16, 64),
                    ResourceVector.of(8 - freeGpus[i], 0, 0),
                    ResourceVector.ZERO,
                    List.of(),
                    true));
        }
        ResourceVector plenty = ResourceVector.of(1000, 1000, 1000);
        return new Ledger(new Snapshot(0, nodes, new QueueView("q", plenty, ResourceVector.ZERO), List.of(JOB), false));
    }

    /** By node and group. */
    private static Map<String, Integer> place(int workers, int servers, Ledger ledger) {
        List<TaskGroup> tasks = new ArrayList<>(Collections.nCopies(workers, WORKER));
        tasks.addAll(Collections.nCopies(servers, SERVER));
        Map<String, Integer> counts = new TreeMap<>();
        new EvenSpread()
                .place(JOB, tasks, (group, node) -> group.ask(), ledger)
                .orElse(List.<TaskPlacement>of())
                .forEach(task -> counts.merge(task.nodeId() + " " + task.group(), 1, Integer::sum));
        return counts;
    }

    @Test
    void onTheFullestNodeThatTakesAll() {
        assertEquals(Map.of("n1 worker", 2, "n1 ps", 2), place(2, 2, ledger(8, 3, 1)));
    }

    @Test
    void onSeveralNodesAlike() {
        assertEquals(Map.of("n0 worker", 6, "n0 ps", 2, "n2 worker", 6, "n2 ps", 2), place(12, 4, ledger(8, 2, 8)));
    }

    @Test
    void whereNoEvenSpreadGoesAsMuchAsEachTakes() {
        assertEquals(Map.of("n0 worker", 7, "n0 ps", 2, "n1 worker", 1), place(8, 2, ledger(7, 1)));
    }

    @Test
    void nothingIsTakenWhereNotAllFit() {
        Ledger ledger = ledger(4, 4);
        assertEquals(Map.of(), place(9, 1, ledger));
        assertEquals(ResourceVector.of(4, 16, 64), ledger.free(0));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BalancedTest {
    private static final int SEEDS = 200;

    /**
     * With wishes nodes are looked at by groups of alike ones, without them one by one: where nobody wishes for more than it
     * is charged, both choose the same, whatever is taken and given back between.
     */
    @Test
    void nodesThatAreAlikeStandForEachOther() {
        int placed = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            Snapshot cluster = cluster(random);
            Ledger one = new Ledger(cluster);
            Ledger other = new Ledger(cluster);
            Wishes wishes = Wishes.none(other);
            List<List<TaskPlacement>> running = new ArrayList<>();
            for (int step = 0; step < 60; step++) {
                if (random.nextInt(3) == 0 && !running.isEmpty()) {
                    for (TaskPlacement task : running.remove(random.nextInt(running.size()))) {
                        giveBack(one, task);
                        giveBack(other, task);
                    }
                }
                JobView job = job(random, "job" + step);
                List<TaskGroup> tasks = Collections.nCopies(
                        job.groups().get(0).min(), job.groups().get(0));
                ResourceVector size =
                        tasks.get(0).ask().plus(ResourceVector.of(0, random.nextInt(4), 64L * random.nextInt(4)));
                TaskSizer sizer = (group, node) -> size;
                Placement grouped = new Balanced().towards(wishes.of(sizer, (group, node, task) -> 1));
                assertEquals(
                        new Balanced().misfit(job, tasks, sizer, one),
                        grouped.misfit(job, tasks, sizer, other),
                        "seed " + seed + ", step " + step);
                Optional<List<TaskPlacement>> expected = new Balanced().place(job, tasks, sizer, one);
                assertEquals(expected, grouped.place(job, tasks, sizer, other), "seed " + seed + ", step " + step);
                expected.ifPresent(running::add);
                placed += expected.isPresent() ? 1 : 0;
            }
        }
        int total = placed;
        assertTrue(total > SEEDS * 10, () -> "hardly anything is placed: " + total);
    }

    private static void giveBack(Ledger ledger, TaskPlacement task) {
        ledger.giveBack("", ledger.indexOf(task.nodeId()).orElseThrow(), task.size(), task.devices());
    }

    private static Snapshot cluster(Random random) {
        List<NodeView> nodes = new ArrayList<>();
        for (int i = 2 + random.nextInt(8); i > 0; i--) {
            long gpus = random.nextBoolean() ? 4 : 8;
            nodes.add(new NodeView(
                    "n" + i,
                    "",
                    ResourceVector.of(gpus, gpus * (3 + random.nextInt(2)), gpus * 512),
                    ResourceVector.ZERO,
                    ResourceVector.of(0, random.nextInt(2), 0),
                    List.of(),
                    random.nextInt(6) > 0));
        }
        ResourceVector all = nodes.stream().map(NodeView::capacity).reduce(ResourceVector.ZERO, ResourceVector::plus);
        return new Snapshot(0, nodes, new QueueView("q", all, ResourceVector.ZERO), List.of(), true);
    }

    private static JobView job(Random random, String id) {
        int tasks = 1 + random.nextInt(3);
        return new JobView(
                id,
                0,
                List.of(new TaskGroup(
                        "worker", tasks, tasks, ResourceVector.of(1 + random.nextInt(3), 1, 64), Set.of())),
                List.of(),
                Optional.empty(),
                false,
                Progress.NONE,
                random.nextInt(4) == 0 ? Set.of("n1", "n2") : Set.of());
    }
}

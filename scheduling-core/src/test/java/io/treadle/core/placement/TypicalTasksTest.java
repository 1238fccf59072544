// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TypicalTasksTest {
    @Test
    void theMostFrequentShapesStandForAll() {
        List<TypicalTasks.Typical> typical = TypicalTasks.of(Stream.of(tasks(4, 1), tasks(6, 2), tasks(90, 3)))
                .tasks();
        assertEquals(List.of(3L, 2L), vcores(typical));
        assertEquals(90 / 96.0, typical.get(0).share(), 1e-12);
        assertEquals(6 / 96.0, typical.get(1).share(), 1e-12);
    }

    @Test
    void ofShapesThatComeAsOftenTheLargerIsFirst() {
        TypicalTasks typical = TypicalTasks.of(Stream.of(tasks(5, 1), tasks(5, 3), tasks(5, 2)));
        assertEquals(List.of(3L, 2L, 1L), vcores(typical.tasks()));
    }

    @Test
    void tasksThatDifferInHostMemoryAreOfOneShape() {
        TaskGroup other = new TaskGroup("worker", 1, 1, ResourceVector.of(1, 2, 4096), Set.of());
        assertEquals(1, TypicalTasks.of(Stream.of(tasks(1, 2), other)).tasks().size());
    }

    @Test
    void nothingIsTypicalOfNothing() {
        assertEquals(List.of(), TypicalTasks.of(Stream.of()).tasks());
    }

    private static List<Long> vcores(List<TypicalTasks.Typical> typical) {
        return typical.stream().map(task -> task.group().ask().vcores()).toList();
    }

    private static TaskGroup tasks(int count, long vcores) {
        return new TaskGroup("worker", count, count, ResourceVector.of(1, vcores, 1024), Set.of());
    }
}

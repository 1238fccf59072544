// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskQueueTest {
    private static QueryTask task(double runMs, Model... models) {
        return Known.task(0, List.of(models), runMs, 0, 0);
    }

    private static List<String> order(TaskQueue<String> queue) {
        List<String> order = new ArrayList<>();
        while (!queue.isEmpty()) {
            order.add(queue.poll().orElseThrow().what());
        }
        return order;
    }

    @Test
    void asTheyCame() {
        TaskQueue<String> queue = new TaskQueue<>(QueueOrder.FIFO);
        queue.add(task(5), "a", 100, 0);
        queue.add(task(5), "b", 1, 0);
        queue.add(task(5), "c", 50, 0);
        assertEquals(List.of("a", "b", "c"), order(queue));
    }

    @Test
    void thoseOfWhoseQueriesLeastIsLeft() {
        TaskQueue<String> queue = new TaskQueue<>(QueueOrder.LEAST_LEFT);
        queue.add(task(5), "long", 100, 0);
        queue.add(task(5), "short", 10, 0);
        queue.add(task(5), "as short", 10, 0);
        assertEquals(List.of("short", "as short", "long"), order(queue));
    }

    /** Half a ms of what is left for each ms that a query has waited. */
    @Test
    void whatHasWaitedGoesBeforeWhatIsShorter() {
        TaskQueue<String> queue = new TaskQueue<>(QueueOrder.LEAST_LEFT);
        queue.add(task(5), "long", 100, 0);
        queue.add(task(5), "just shorter", 10, 179);
        queue.add(task(5), "too late", 10, 181);
        assertEquals(List.of("just shorter", "long", "too late"), order(queue));
    }

    @Test
    void whatIsNotWantedAnyMoreIsNoWorkEither() {
        TaskQueue<String> queue = new TaskQueue<>(QueueOrder.FIFO);
        queue.add(task(1), "a", 0, 0);
        queue.add(task(2), "b", 0, 0);
        queue.add(task(4), "c", 0, 0);
        queue.removeIf(what -> what.equals("b"));
        assertEquals(5, queue.runMs());
        assertEquals(List.of("a", "c"), order(queue));
        queue.removeIf(what -> true);
        assertEquals(0, queue.runMs());
    }

    @Test
    void knowsHowLongItsTasksRunAndWhatTheyNeed() {
        Model model = new Model(4, "m", 1);
        TaskQueue<String> queue = new TaskQueue<>(QueueOrder.FIFO);
        queue.add(task(0.1, model), "a", 0, 0);
        queue.add(task(0.2), "b", 0, 0);
        assertEquals(0.3, queue.runMs(), 1e-12);
        assertEquals(List.of(List.of(model), List.of()), List.copyOf(queue.models()));
        assertEquals(2, queue.size());
        queue.poll();
        assertEquals(0.2, queue.runMs(), 1e-12);
        queue.poll();
        assertEquals(0, queue.runMs());
        assertTrue(queue.poll().isEmpty());
        assertEquals(
                "must be one of fifo, least-left",
                assertThrows(IllegalArgumentException.class, () -> QueueOrder.of("lifo"))
                        .getMessage());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class WorkflowGraphTest {
    private static WorkflowGraph graph(QueryTask... tasks) {
        return new WorkflowGraph("w", List.of(tasks));
    }

    private static String refusal(QueryTask... tasks) {
        return String.valueOf(
                assertThrows(IllegalArgumentException.class, () -> graph(tasks)).getMessage());
    }

    private static QueryTask task(int id, double runMs, Integer... after) {
        return Known.task(id, List.of(), runMs, 1, 1, after);
    }

    @Test
    void knowsWhoComesAfterWhomWhateverTheirOrderInTheList() {
        WorkflowGraph graph = graph(task(0, 5, 2), task(1, 1, 2), task(2, 3), task(3, 2, 0, 1));
        assertEquals(List.of(2), graph.entries());
        assertEquals(List.of(0, 1), graph.successors(2));
        assertEquals(List.of(3), graph.successors(0));
        assertEquals(List.of(), graph.successors(3));
        assertEquals(2, graph.depth(3));
        assertEquals(List.of(2, 0, 1, 3), graph.order());
    }

    @Test
    void bestIsTheLongestPath() {
        assertEquals(
                10,
                graph(task(0, 5, 2), task(1, 1, 2), task(2, 3), task(3, 2, 0, 1))
                        .bestMs());
    }

    @Test
    void namesACircleWithoutThoseThatOnlyWaitForIt() {
        assertEquals(
                "workflow 'w' has a circle: 't1' waits for 't3' waits for 't2' waits for 't1', must have none",
                refusal(task(0, 1, 1), task(1, 1, 3), task(2, 1, 1), task(3, 1, 2), task(4, 1)));
        assertEquals("workflow 'w' has a circle: 't0' waits for 't0', must have none", refusal(task(0, 1, 0)));
    }

    @Test
    void refusesWhatIsNoGraph() {
        assertEquals("workflow 'w' has no tasks, must have one or more", refusal());
        assertEquals("workflow 'w': task 1 has the id 2, must be 1", refusal(task(0, 1), task(2, 1)));
        assertEquals("workflow 'w': task 't0' waits for 7, must be among 0 to 0", refusal(task(0, 1, 7)));
        assertEquals("workflow 'w': task 't0' waits for -1, must be among 0 to 0", refusal(task(0, 1, -1)));
    }

    @Test
    void refusesTasksThatCannotBe() {
        Model model = new Model(1, "m", 10);
        assertEquals(
                "task 't0' runs for ms: NaN, must be a finite number of 0 or more",
                String.valueOf(
                        assertThrows(IllegalArgumentException.class, () -> Known.task(0, List.of(), Double.NaN, 0, 0))
                                .getMessage()));
        assertEquals(
                "task 't0' names a model twice",
                String.valueOf(assertThrows(
                                IllegalArgumentException.class, () -> Known.task(0, List.of(model, model), 1, 0, 0))
                        .getMessage()));
        assertEquals(
                "model 'm' takes -1.0 kB, must be a finite number above 0",
                String.valueOf(assertThrows(IllegalArgumentException.class, () -> new Model(1, "m", -1))
                        .getMessage()));
    }
}

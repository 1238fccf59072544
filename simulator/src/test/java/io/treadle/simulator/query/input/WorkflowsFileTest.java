// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.treadle.core.query.Model;
import io.treadle.core.query.WorkflowGraph;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkflowsFileTest {
    private static final String TASK =
            "{\"id\":0,\"name\":\"t\",\"model\":3,\"model_kb\":70,\"ms\":5,\"in_kb\":1,\"out_kb\":2,\"pred\":[]}";

    private final Path file;

    WorkflowsFileTest(@TempDir Path directory) {
        file = directory.resolve("w.json");
    }

    private List<WorkflowGraph> read(String text) throws IOException {
        Files.writeString(file, text);
        return WorkflowsFile.read(file);
    }

    private static String workflow(String tasks) {
        return "{\"workflows\":[{\"name\":\"w\",\"tasks\":[" + tasks + "]}]}";
    }

    @Test
    void readsTasksWithOneModelSeveralOrNone() throws IOException {
        List<WorkflowGraph> graphs = read("{\"workflows\":[{\"name\":\"w\",\"more\":1,\"tasks\":["
                + TASK
                + ",{\"id\":1,\"ms\":0,\"in_kb\":2,\"out_kb\":0.5,\"pred\":[0],\"models\":"
                + "[{\"id\":3,\"kb\":70},{\"id\":8,\"name\":\"b\",\"kb\":1.5}]}"
                + ",{\"id\":2,\"model\":-1,\"model_kb\":0,\"ms\":1,\"in_kb\":2,\"out_kb\":2,\"pred\":[0,1]}]}]}");
        WorkflowGraph graph = graphs.get(0);
        assertEquals("w", graph.name());
        assertEquals(List.of(new Model(3, "t", 70)), graph.task(0).models());
        assertEquals(
                List.of(new Model(3, "t", 70), new Model(8, "b", 1.5)),
                graph.task(1).models());
        assertEquals(List.of(), graph.task(2).models());
        assertEquals(List.of(0, 1), graph.task(2).predecessors());
        assertEquals(6, graph.bestMs());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"ms\":5|\"ms\":-1|workflow 'w', task 0, 'ms': is '-1', must be a number from 0 to 1000000000.",
                "\"ms\":5|\"ms\":\"NaN\"|workflow 'w', task 0, 'ms': is '\"NaN\"', must be a number from 0 to 1000000000.",
                "\"ms\":5,|\"x\":5,|workflow 'w', task 0, 'ms': is missing, must be a number from 0 to 1000000000.",
                "\"id\":0|\"id\":1.5|workflow 'w', task 0, 'id': is '1.5', must be a whole number from 0 to 10000.",
                "\"pred\":[]|\"pred\":[\"a\"]|workflow 'w', task 0, 'pred': is '[\"a\"]', must be a list of ids of tasks.",
                "\"pred\":[]|\"pred\":7|workflow 'w', task 0, 'pred': is '7', must be a list of ids of tasks.",
                "\"model_kb\":70|\"model_kb\":0|workflow 'w', task 0, 'model_kb': is '0', must be a number from"
            })
    void saysWhatIsWrongWithATask(String from, String to, String expected) {
        String text = workflow(TASK.replace(from, to));
        String said = String.valueOf(
                assertThrows(InputException.class, () -> read(text)).getMessage());
        assertEquals(
                file + ", " + expected, said.substring(0, Math.min(said.length(), (file + ", " + expected).length())));
    }

    @Test
    void saysWhatIsWrongWithTheWhole() {
        refused("[]", ", line 1: is '[', must be an object: {…}.");
        refused("{}", ", the file, 'workflows': is missing, must be a list of one or more workflows.");
        refused("{} {}", " holds 2 JSON objects, must be one: {\"workflows\": […]}.");
        refused(workflow(""), ": workflow 'w' has no tasks, must have one or more.");
        refused(
                workflow(TASK.replace("\"pred\":[]", "\"pred\":[0]")),
                ": workflow 'w' has a circle: 't' waits for 't', must have none.");
        refused(
                workflow(TASK + "," + TASK.replace("\"id\":0", "\"id\":1").replace("70", "80")),
                ", workflow 'w', task 1, 'model_kb': is '80', must be 70.0, which model 3 takes elsewhere.");
        refused(
                "{\"workflows\":[{\"name\":\"w\",\"tasks\":[" + TASK + "]},{\"name\":\"w\",\"tasks\":[" + TASK + "]}]}",
                ", workflow 1, 'name': is '\"w\"', must be another name than that of a workflow before it.");
    }

    private void refused(String text, String expected) {
        assertEquals(
                file + expected,
                assertThrows(InputException.class, () -> read(text)).getMessage());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.treadle.am.framework.ServerVariables;
import io.treadle.am.framework.TensorFlowVariables;
import io.treadle.am.framework.TorchVariables;
import io.treadle.am.protocol.Assignment;
import io.treadle.am.protocol.RunnerProtocol;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker of a job with servers finds in its environment. */
class WorkerFilesTest {
    private static Assignment worker(Map<String, String> users) {
        Map<String, List<String>> addresses = new LinkedHashMap<>();
        addresses.put("worker", List.of("n1:4001", "n2:4002"));
        addresses.put("ps", List.of("n1:4003"));
        return new Assignment(
                1, 3, "worker", 1, 2, "n1", 4001, 0, 3, "application_1_1", "train", "/ck", users, addresses, -1);
    }

    private static Map<String, String> environment(Path dir, Map<String, String> users) throws IOException {
        return WorkerFiles.in(dir, dir.resolve("control"))
                .environment(
                        Map.of("PATH", "/bin", RunnerProtocol.ENV_AM_ADDRESS, "n0:1"),
                        1,
                        worker(users),
                        Optional.empty());
    }

    /** However each framework is told of the others, a worker finds it. */
    @Test
    void everyFrameworkFindsTheOthers(@TempDir Path dir) throws IOException {
        Map<String, String> found = environment(dir, Map.of("MINE", "1"));
        assertEquals("1", found.get("RANK"));
        assertEquals("n1", found.get("MASTER_ADDR"));
        assertEquals(
                "{\"cluster\":{\"worker\":[\"n1:4001\",\"n2:4002\"],\"ps\":[\"n1:4003\"]},"
                        + "\"task\":{\"type\":\"worker\",\"index\":1}}",
                found.get("TF_CONFIG"));
        assertEquals("worker", found.get("DMLC_ROLE"));
        assertEquals("n1", found.get("DMLC_PS_ROOT_URI"));
        assertEquals("4001", found.get("DMLC_PS_ROOT_PORT"));
        assertEquals("2", found.get("DMLC_NUM_WORKER"));
        assertEquals("1", found.get("DMLC_NUM_SERVER"));
        assertEquals("worker1", found.get("TREADLE_RPC_NAME"));
        assertEquals("n1:4001,n2:4002", found.get("TREADLE_WORKERS"));
        assertEquals("n1:4003", found.get("TREADLE_SERVERS"));
        Assignment worker = worker(Map.of());
        for (Map<String, String> framework :
                List.of(TorchVariables.of(worker), TensorFlowVariables.of(worker), ServerVariables.of(worker))) {
            assertFalse(framework.isEmpty());
            framework.forEach((name, value) -> assertEquals(value, found.get(name), name));
        }
        assertEquals("1", found.get("MINE"));
        assertEquals("/bin", found.get("PATH"));
        assertFalse(found.containsKey(RunnerProtocol.ENV_AM_ADDRESS), "workers have nothing to say there");
    }

    @Test
    void whatUsersSetWinsOverTheContainerAndNotOverUs(@TempDir Path dir) throws IOException {
        Map<String, String> found = environment(dir, Map.of("PATH", "/mine", "TF_CONFIG", "{}", "DMLC_ROLE", "king"));
        assertEquals("/mine", found.get("PATH"));
        assertEquals("worker", found.get("DMLC_ROLE"));
        assertEquals(TensorFlowVariables.of(worker(Map.of())).get("TF_CONFIG"), found.get("TF_CONFIG"));
    }
}

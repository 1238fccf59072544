// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.treadle.am.spec.JobSpec;
import io.treadle.am.spec.JobSpec.TaskGroup;
import io.treadle.am.spec.JobSpecParser;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What YARN reads before it starts a container, which a job's own variables do not reach. */
class RunnerLaunchTest {
    private static Map<String, String> environment(String job, int group) {
        JobSpec spec = JobSpecParser.fromYaml("job.yaml", job);
        return new RunnerLaunch(
                        Map.of(),
                        "am:1",
                        1,
                        1,
                        ByteBuffer.allocate(0),
                        spec.groups().stream().map(TaskGroup::container).toList())
                .contextFor("container_1", group)
                .getEnvironment();
    }

    @Test
    void eachGroupsImageReachesYarn() {
        String job =
                """
                container: {image: "train:1", mounts: ["/data:/data:ro"], network: overlay}
                tasks:
                  worker: {command: x}
                  evaluator: {command: y, container: {image: "eval@sha256:0123456789abcdef", runtime: runc}}
                  ps: {command: z, container: {runtime: default}}
                """;
        Map<String, String> worker = environment(job, 0);
        assertEquals("docker", worker.get("YARN_CONTAINER_RUNTIME_TYPE"));
        assertEquals("train:1", worker.get("YARN_CONTAINER_RUNTIME_DOCKER_IMAGE"));
        assertEquals("/data:/data:ro", worker.get("YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS"));
        assertEquals("overlay", worker.get("YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_NETWORK"));
        assertEquals("true", worker.get("TREADLE_WANTS_CONTROL_DIR"));
        assertEquals("docker", worker.get("TREADLE_CONTAINER_RUNTIME"));
        Map<String, String> evaluator = environment(job, 1);
        assertEquals("runc", evaluator.get("YARN_CONTAINER_RUNTIME_TYPE"));
        assertEquals("eval@sha256:0123456789abcdef", evaluator.get("YARN_CONTAINER_RUNTIME_RUNC_IMAGE"));
        assertFalse(evaluator.containsKey("YARN_CONTAINER_RUNTIME_RUNC_MOUNTS"), "the job's are the job's image's");
        assertFalse(environment(job, 2).containsKey("YARN_CONTAINER_RUNTIME_TYPE"));
    }

    @Test
    void jobWithoutImageLeavesTheRuntimeToTheNode() {
        assertFalse(environment("tasks: {worker: {command: x}}", 0).keySet().stream()
                .anyMatch(name -> name.startsWith("YARN_CONTAINER_RUNTIME_")));
    }
}

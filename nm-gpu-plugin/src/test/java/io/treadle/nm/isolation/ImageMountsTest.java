// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.ContainerRuntime;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.runtime.DockerLinuxContainerRuntime;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.runtime.RuncContainerRuntime;
import org.junit.jupiter.api.Test;

class ImageMountsTest {
    private static final Path CONTROL = Path.of("/local/treadle/c1");
    private static final Map<String, String> DOCKER = Map.of("YARN_CONTAINER_RUNTIME_TYPE", "docker");

    private static Configuration linux() {
        Configuration conf = new Configuration(false);
        conf.set("yarn.nodemanager.container-executor.class", LinuxContainerExecutor.class.getName());
        return conf;
    }

    @Test
    void runtimeIsTheOneThatHadoopTakes() {
        for (String nodes : new String[] {"", "default", "docker", "runc"}) {
            Configuration conf = linux();
            conf.set("yarn.nodemanager.runtime.linux.type", nodes);
            for (String launch : new String[] {null, "default", "docker", "runc", "other"}) {
                Map<String, String> environment =
                        launch == null ? Map.of() : Map.of("YARN_CONTAINER_RUNTIME_TYPE", launch);
                Optional<ContainerRuntime> ours = new ImageMounts(conf).runtime(environment);
                assertEquals(
                        DockerLinuxContainerRuntime.isDockerContainerRequested(conf, environment),
                        ours.equals(Optional.of(ContainerRuntime.DOCKER)));
                assertEquals(
                        RuncContainerRuntime.isRuncContainerRequested(conf, environment),
                        ours.equals(Optional.of(ContainerRuntime.RUNC)));
            }
        }
    }

    @Test
    void executorWithoutImagesStartsPlainProcesses() {
        ImageMounts plain = new ImageMounts(new Configuration(false));
        assertEquals(Optional.empty(), plain.runtime(DOCKER));
        assertTrue(plain.ignoresImage(DOCKER));
        assertFalse(plain.ignoresImage(Map.of()));
        assertFalse(new ImageMounts(linux()).ignoresImage(DOCKER));
    }

    @Test
    void onlyContainersThatWantTheDirectoryGetIt() {
        ImageMounts mounts = new ImageMounts(linux());
        assertFalse(mounts.wantsControlDirectory(DOCKER), "the admin may not allow the mount");
        assertFalse(mounts.wantsControlDirectory(Map.of("TREADLE_WANTS_CONTROL_DIR", "true")), "a plain process");
        Map<String, String> wanting = new HashMap<>(DOCKER);
        wanting.put("TREADLE_WANTS_CONTROL_DIR", "true");
        assertTrue(mounts.wantsControlDirectory(wanting));
    }

    @Test
    void mountIsAddedOnceAndReadOnly() {
        ImageMounts mounts = new ImageMounts(linux());
        Map<String, String> environment = new HashMap<>(DOCKER);
        environment.put("YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS", "/data:/data:ro");
        mounts.mount(CONTROL, environment);
        mounts.mount(CONTROL, environment);
        assertEquals(
                "/data:/data:ro,/local/treadle/c1:/local/treadle/c1:ro",
                environment.get("YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS"));
        Map<String, String> runc = new HashMap<>(Map.of("YARN_CONTAINER_RUNTIME_TYPE", "runc"));
        mounts.mount(CONTROL, runc);
        assertEquals("/local/treadle/c1:/local/treadle/c1:ro", runc.get("YARN_CONTAINER_RUNTIME_RUNC_MOUNTS"));
    }

    @Test
    void pathThatYarnWouldMisreadIsNotMounted() {
        Map<String, String> environment = new HashMap<>(DOCKER);
        new ImageMounts(linux()).mount(Path.of("/local/a:b/c1"), environment);
        assertEquals(DOCKER, environment);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Hadoop's LinuxContainerExecutor over a stand-in for its native container-executor, which no package has: a Python script
 * with the native binary's command line. The class of Hadoop, the processes and the cgroups are real.
 */
final class ExecutorStandIn {
    static final String NOTICE = "STAND-IN: container_executor_stand_in.py, a test double of ours, takes the place of"
            + " Hadoop's native container-executor; LinuxContainerExecutor, processes and cgroups are real";

    private static final String SCRIPT = "container_executor_stand_in.py";
    private static final String LCE = "yarn.nodemanager.linux-container-executor.";

    private final Path script;

    private ExecutorStandIn(Path script) {
        this.script = script;
    }

    static ExecutorStandIn install(Path directory) throws IOException {
        Path script = directory.resolve(SCRIPT);
        try (InputStream source =
                Objects.requireNonNull(ExecutorStandIn.class.getResourceAsStream("/processes/" + SCRIPT))) {
            Files.copy(source, script);
        }
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new ExecutorStandIn(script);
    }

    /** Settings of a NodeManager whose containers lie in cgroups below {@code hierarchy}, strictly limited. */
    Map<String, String> settings(String hierarchy) {
        return Map.of(
                "yarn.nodemanager.container-executor.class",
                "org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor",
                LCE + "path",
                script.toString(),
                LCE + "nonsecure-mode.limit-users",
                "false",
                LCE + "cgroups.hierarchy",
                "/" + hierarchy,
                LCE + "cgroups.mount",
                "false",
                LCE + "cgroups.strict-resource-usage",
                "true",
                "yarn.nodemanager.resource.cpu.enabled",
                "true",
                "yarn.nodemanager.resource.memory.enabled",
                "true");
    }

    /**
     * Settings of a NodeManager whose containers may be started from images, without cgroups.
     *
     * @param cfg the section {@code [docker]} of the native binary's {@code container-executor.cfg}
     */
    Map<String, String> dockerSettings(Map<String, String> cfg) throws IOException {
        StringBuilder text = new StringBuilder("[docker]\n");
        cfg.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
        Files.writeString(script.resolveSibling("container-executor.cfg"), text);
        return Map.of(
                "yarn.nodemanager.container-executor.class",
                "org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor",
                LCE + "path",
                script.toString(),
                LCE + "nonsecure-mode.limit-users",
                "false",
                "yarn.nodemanager.runtime.linux.allowed-runtimes",
                "default,docker",
                // Else YARN starts no container of root, who is the user of these tests.
                "yarn.nodemanager.runtime.linux.docker.enable-userremapping.allowed",
                "false",
                "yarn.nodemanager.runtime.linux.docker.allowed-container-networks",
                "host,none",
                "yarn.nodemanager.runtime.linux.docker.default-container-network",
                "host");
    }

    /** What the stand-in was asked to do so far: a word and its main arguments a line. */
    List<String> calls() throws IOException {
        return Files.readAllLines(script.resolveSibling("calls.log"));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.protocol;

import io.treadle.core.wire.ContainerRuntime;
import io.treadle.core.wire.WorkerEnvironment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds out whether this process runs in the container image that the job asks for. A node whose container executor knows
 * no images ignores the wish without a word, and would run the worker with its own files. The node plugin tells of it;
 * where there is none, Docker's own mark does, unless the node itself runs in a container.
 */
public final class ContainerCheck {
    /** Docker and Podman put these into each container. */
    private static final List<String> MARKS = List.of(".dockerenv", "run/.containerenv");

    private ContainerCheck() {}

    /**
     * Why the worker must not run; empty where it may.
     *
     * @param variables of this process
     * @param root of the file system: {@code /}
     */
    public static Optional<String> missing(Map<String, String> variables, Path root) {
        String runtime = variables.getOrDefault(RunnerProtocol.ENV_CONTAINER_RUNTIME, "");
        boolean ignored = Boolean.parseBoolean(variables.get(WorkerEnvironment.IMAGE_IGNORED))
                || (runtime.equals(ContainerRuntime.DOCKER.word())
                        && MARKS.stream().noneMatch(mark -> Files.exists(root.resolve(mark))));
        return runtime.isEmpty() || !ignored
                ? Optional.empty()
                : Optional.of("the job asks for the image "
                        + variables.getOrDefault(RunnerProtocol.ENV_CONTAINER_IMAGE, "") + " by the container runtime "
                        + runtime + ", but this node has started the worker without it.\nMaybe its NodeManager runs"
                        + " DefaultContainerExecutor; images need LinuxContainerExecutor, with '" + runtime
                        + "' in yarn.nodemanager.runtime.linux.allowed-runtimes.");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import io.treadle.core.wire.ContainerRuntime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The container image that a task runs in, by one of YARN's container runtimes.
 *
 * @param image name of the image, as the runtime takes it
 * @param mounts directories and files of the node that appear in it
 * @param network a network of Docker; empty for the node's default, and with runc, which has none
 */
public record ContainerSpec(ContainerRuntime runtime, String image, List<Mount> mounts, Optional<String> network) {
    public ContainerSpec {
        mounts = List.copyOf(mounts);
    }

    /**
     * @param source an absolute path on the node, or the link of one of the job's files
     * @param destination an absolute path in the container
     */
    public record Mount(String source, String destination, boolean writable) {
        @Override
        public String toString() {
            return source + ":" + destination + (writable ? ":rw" : ":ro");
        }
    }

    /** What YARN reads in the environment of a container's launch. */
    public Map<String, String> variables() {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put(ContainerRuntime.TYPE_VARIABLE, runtime.word());
        variables.put(runtime.imageVariable(), image);
        if (!mounts.isEmpty()) {
            variables.put(
                    runtime.mountsVariable(),
                    mounts.stream().map(Mount::toString).collect(Collectors.joining(",")));
        }
        network.ifPresent(name -> variables.put(runtime.networkVariable(), name));
        return variables;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import io.treadle.core.wire.WorkerEnvironment;
import io.treadle.nm.device.Grant;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The variables that a container's process gets from the node. */
public final class LaunchEnvironment {
    private final boolean nodeHasDevices;
    private final double vcoreCores;

    public LaunchEnvironment(boolean nodeHasDevices, double vcoreCores) {
        this.nodeHasDevices = nodeHasDevices;
        this.vcoreCores = vcoreCores;
    }

    /**
     * On a node with GPUs a container that has asked for none sees none: CUDA takes an empty list as that. On a CPU node
     * the variable is left as the user set it. A lost device is not named, so that frameworks fail at once, not later.
     */
    public Map<String, String> of(Path controlDirectory, List<Grant> grants, Optional<Path> cpuCgroup) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put(WorkerEnvironment.CONTROL_DIR, controlDirectory.toString());
        if (nodeHasDevices) {
            variables.put(
                    WorkerEnvironment.CUDA_VISIBLE_DEVICES,
                    grants.stream()
                            .filter(g -> g.state() != Grant.State.LOST)
                            .map(Grant::uuid)
                            .collect(Collectors.joining(",")));
        }
        cpuCgroup.ifPresent(path -> variables.put(WorkerEnvironment.CPU_CGROUP, path.toString()));
        if (vcoreCores > 0) {
            variables.put(WorkerEnvironment.VCORE_CORES, Double.toString(vcoreCores));
        }
        return variables;
    }
}

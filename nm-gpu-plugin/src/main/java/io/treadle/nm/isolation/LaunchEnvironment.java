// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import io.treadle.core.wire.DeviceVendor;
import io.treadle.core.wire.WorkerEnvironment;
import io.treadle.nm.device.Grant;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The variables that a container's process gets from the node. */
public final class LaunchEnvironment {
    private final Optional<DeviceVendor> vendor;
    private final double vcoreCores;

    /** @param vendor of the node's devices; empty on a node without any */
    public LaunchEnvironment(Optional<DeviceVendor> vendor, double vcoreCores) {
        this.vendor = vendor;
        this.vcoreCores = vcoreCores;
    }

    /**
     * On a node with devices a container that has asked for none sees none: CUDA and ROCm take an empty list as that. On a
     * CPU node the variables are left as the user set them. A lost device is not named, so that frameworks fail at once,
     * not later.
     */
    public Map<String, String> of(Path controlDirectory, List<Grant> grants, Optional<Path> cpuCgroup) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put(WorkerEnvironment.CONTROL_DIR, controlDirectory.toString());
        vendor.ifPresent(v -> {
            variables.put(WorkerEnvironment.DEVICE_VARIABLES, String.join(",", v.variables()));
            variables.putAll(v.visible(grants.stream()
                    .filter(g -> g.state() != Grant.State.LOST)
                    .map(Grant::uuid)
                    .toList()));
        });
        cpuCgroup.ifPresent(path -> variables.put(WorkerEnvironment.CPU_CGROUP, path.toString()));
        if (vcoreCores > 0) {
            variables.put(WorkerEnvironment.VCORE_CORES, Double.toString(vcoreCores));
        }
        return variables;
    }
}

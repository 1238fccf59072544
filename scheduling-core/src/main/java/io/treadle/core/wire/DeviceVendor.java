// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A vendor of accelerators: the environment variables by which its software is told which devices a process may use. This
 * is the one place that knows their names.
 *
 * @param name the vendor, for people
 * @param variables each gets the devices' UUIDs, joined by commas; empty means none
 */
public record DeviceVendor(String name, List<String> variables) {
    /** CUDA takes UUIDs of whole GPUs and of MIG instances. */
    public static final DeviceVendor NVIDIA = new DeviceVendor("NVIDIA", List.of("CUDA_VISIBLE_DEVICES"));
    /** ROCm's runtime takes UUIDs and indices. HIP numbers what it leaves from 0. */
    public static final DeviceVendor AMD = new DeviceVendor("AMD", List.of("ROCR_VISIBLE_DEVICES"));

    /** Read by NVIDIA's container runtime, outside the container: the devices that it puts into the container. */
    public static final String NVIDIA_CONTAINER_DEVICES = "NVIDIA_VISIBLE_DEVICES";

    private static final List<DeviceVendor> KNOWN = List.of(NVIDIA, AMD);

    public DeviceVendor {
        variables = List.copyOf(variables);
    }

    /** A vendor that only the admin knows. */
    public static DeviceVendor other(List<String> variables) {
        return new DeviceVendor("other", variables);
    }

    /** The variables of a process that may use exactly these devices. */
    public Map<String, String> visible(List<String> uuids) {
        Map<String, String> values = new LinkedHashMap<>();
        variables.forEach(variable -> values.put(variable, String.join(",", uuids)));
        return values;
    }

    /** The vendor of the devices of a process with this environment; a node that names no variables is an older one. */
    public static DeviceVendor of(Map<String, String> environment) {
        String names = environment.getOrDefault(WorkerEnvironment.DEVICE_VARIABLES, "");
        return names.isEmpty() ? NVIDIA : other(List.of(names.split(",")));
    }

    /** Variables that no job may set by itself: it would see devices of others. */
    public static Set<String> reserved() {
        Set<String> names = new LinkedHashSet<>();
        KNOWN.forEach(vendor -> names.addAll(vendor.variables));
        names.add(NVIDIA_CONTAINER_DEVICES);
        return names;
    }
}

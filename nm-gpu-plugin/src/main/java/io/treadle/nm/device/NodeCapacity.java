// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import io.treadle.nm.conf.NodeConf;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** What the node has to advertise, by resource type, in the form of {@code yarn.nodemanager.resource-type.<name>}. */
public final class NodeCapacity {
    public static final String GPU = "yarn.io/gpu";
    public static final String GPU_MEMORY = "treadle.io/gpu-memory";
    public static final String POWER = "treadle.io/power";
    public static final String STORAGE_BANDWIDTH = "treadle.io/storage-bandwidth";

    private NodeCapacity() {}

    /**
     * GPU memory bears the unit Mi; watts and MB/s are bare numbers, as YARN knows no such units. Power is the admin's
     * budget, else the sum of the devices' limits and the host's own share. Lost devices are to be left out.
     *
     * @param storageMBps storage bandwidth, MB/s; empty where nobody knows it: then that type is left out
     */
    public static Map<String, String> of(List<GpuDevice> devices, NodeConf conf, OptionalLong storageMBps) {
        Map<String, String> capacity = new LinkedHashMap<>();
        capacity.put(GPU, Integer.toString(devices.size()));
        capacity.put(
                GPU_MEMORY, devices.stream().mapToLong(GpuDevice::memoryMiB).sum() + "Mi");
        long limits =
                Math.round(devices.stream().mapToDouble(GpuDevice::limitWatts).sum());
        capacity.put(
                POWER,
                Long.toString(conf.powerBudgetWatts() > 0 ? conf.powerBudgetWatts() : limits + conf.hostWatts()));
        storageMBps.ifPresent(value -> capacity.put(STORAGE_BANDWIDTH, Long.toString(value)));
        return capacity;
    }

    /** The content of a {@code node-resources.xml} with these values. */
    public static String toXml(Map<String, String> capacity) {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
        capacity.forEach((name, value) -> xml.append("  <property>\n    <name>")
                .append(CapacityAdvertiser.KEY_PREFIX)
                .append(name)
                .append("</name>\n    <value>")
                .append(value)
                .append("</value>\n  </property>\n"));
        return xml.append("</configuration>\n").toString();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.bridge.StatusReport;
import java.util.List;

/**
 * Sums over all nodes and the devices that they report, taken in one walk.
 *
 * @param gpus as YARN counts them
 * @param usedGpus those that are handed out
 * @param devices how many devices the nodes report
 * @param simulated how many of them are simulated
 * @param watts what they draw now, W
 * @param capWatts what they may draw, W
 * @param utilizationPercent of all devices, added up
 * @param millijoules since their drivers were loaded, mJ
 */
record NodeTotals(
        long gpus,
        long usedGpus,
        int devices,
        int simulated,
        double watts,
        double capWatts,
        double utilizationPercent,
        double millijoules) {
    static NodeTotals of(List<StatusReport.Node> nodes) {
        long gpus = 0;
        long used = 0;
        int devices = 0;
        int simulated = 0;
        double watts = 0;
        double caps = 0;
        double utilization = 0;
        double millijoules = 0;
        for (StatusReport.Node node : nodes) {
            gpus += node.capacity().gpus();
            used += node.used().gpus();
            for (NodeRecord.Device device : node.devices()) {
                devices++;
                simulated += device.simulated() ? 1 : 0;
                watts += device.watts();
                caps += device.capWatts();
                utilization += device.utilizationPercent();
                millijoules += device.energyMillijoules();
            }
        }
        return new NodeTotals(gpus, used, devices, simulated, watts, caps, utilization, millijoules);
    }

    /** 0 where nodes report no devices. */
    double meanUtilizationPercent() {
        return devices == 0 ? 0 : utilizationPercent / devices;
    }
}

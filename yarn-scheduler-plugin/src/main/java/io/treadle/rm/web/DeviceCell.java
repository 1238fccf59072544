// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.bridge.StatusReport;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * One GPU in a node's strip.
 *
 * @param kind {@code free}, {@code used}, {@code sliced}, {@code other} (held by what the viewer does not see) or
 *     {@code lost}
 * @param colour of its job; empty where it has none
 * @param jobs that hold it
 */
record DeviceCell(String kind, String colour, String title, String text, List<StatusReport.Job> jobs) {
    static DeviceCell of(String node, NodeRecord.Device device, DeviceHolders holders) {
        String what = device.model() + ", " + JobText.count(device.memoryMiB()) + " MiB"
                + (device.simulated() ? ", simulated" : "")
                + (device.watts() > 0 ? String.format(Locale.ROOT, ", %.0f W", device.watts()) : "");
        String text = Integer.toString(device.index());
        if (device.health() == NodeRecord.Health.LOST) {
            return new DeviceCell("lost", "", what + ", lost", text, List.of());
        }
        List<StatusReport.Job> jobs = holders.jobs(node, device);
        if (!jobs.isEmpty()) {
            boolean sliced = holders.sliced(node, device);
            String names = jobs.stream().map(j -> j.gang().name()).collect(Collectors.joining(", "));
            return new DeviceCell(
                    sliced ? "sliced" : "used",
                    JobColours.of(jobs.get(0).gang().id()),
                    what + (sliced ? ", slices of " : ", ") + names,
                    text,
                    jobs);
        }
        return device.containers().isEmpty()
                ? new DeviceCell("free", "", what + ", free", text, List.of())
                : new DeviceCell("other", "", what + ", held by another application", text, List.of());
    }
}

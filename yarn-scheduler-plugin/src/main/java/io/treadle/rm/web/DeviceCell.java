// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.bridge.StatusReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One GPU in a node's strip.
 *
 * @param kind {@code free}, {@code used}, {@code sliced} or {@code lost}
 */
record DeviceCell(String kind, String style, String title, String text) {
    /** Okabe and Ito's palette, told apart by colour-blind people too. */
    private static final List<String> COLOURS =
            List.of("#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#999999");

    static List<DeviceCell> of(StatusReport.Node node, List<StatusReport.Job> jobs) {
        List<DeviceCell> cells = new ArrayList<>();
        for (NodeRecord.Device device : node.devices()) {
            cells.add(cell(device, jobs));
        }
        return cells;
    }

    private static DeviceCell cell(NodeRecord.Device device, List<StatusReport.Job> jobs) {
        String what = device.model() + ", " + device.memoryMiB() + " MiB" + (device.simulated() ? ", simulated" : "")
                + String.format(Locale.ROOT, ", %.0f W", device.watts());
        String text = Integer.toString(device.index());
        if (device.health() == NodeRecord.Health.LOST) {
            return new DeviceCell("lost", "", what + ", lost", text);
        }
        for (StatusReport.Job job : jobs) {
            if (job.tasks().stream().anyMatch(t -> t.devices().contains(device.uuid()))) {
                boolean sliced = job.tasks().stream().noneMatch(t -> t.size().gpus() > 0);
                String colour = COLOURS.get(job.gang().id().getId() % COLOURS.size());
                return new DeviceCell(
                        sliced ? "sliced" : "used",
                        "background-color: " + colour,
                        what + ", " + job.gang().name(),
                        text);
            }
        }
        boolean taken = !device.containers().isEmpty();
        return new DeviceCell(taken ? "used" : "free", taken ? "background-color: #bbb" : "", what, text);
    }
}

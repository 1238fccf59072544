// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import io.treadle.core.wire.NodeRecord;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** The devices of a node as lines for people. */
final class DevicesTable {
    private DevicesTable() {}

    static void print(NodeRecord node, String provider, List<String> notes, PrintStream out) {
        if (node.devices().isEmpty()) {
            out.println("no GPUs on " + node.node() + ": it is a CPU node");
        } else {
            long memory = node.devices().stream()
                    .mapToLong(NodeRecord.Device::memoryMiB)
                    .sum();
            out.printf(
                    Locale.ROOT,
                    "%d %s%s, %d MiB, on %s (provider %s)%n",
                    node.devices().size(),
                    node.devices().get(0).simulated() ? "simulated " : "",
                    node.devices().size() == 1 ? "GPU" : "GPUs",
                    memory,
                    node.node(),
                    provider);
            int model = node.devices().stream()
                    .mapToInt(d -> d.model().length())
                    .max()
                    .orElse(5);
            int uuid = node.devices().stream()
                    .mapToInt(d -> d.uuid().length())
                    .max()
                    .orElse(4);
            String head = " %-5s %-" + model + "s %13s %12s %5s %6s %-6s %-" + uuid + "s";
            out.println(String.format(
                            Locale.ROOT, head, "index", "model", "memory MiB", "watts", "util", "temp", "state", "uuid")
                    .stripTrailing());
            for (NodeRecord.Device device : node.devices()) {
                out.println(row(head, device));
            }
        }
        notes.forEach(note -> out.println(" " + note.replace("\n", "\n   ")));
    }

    private static String row(String format, NodeRecord.Device d) {
        boolean lost = d.health() == NodeRecord.Health.LOST;
        return String.format(
                        Locale.ROOT,
                        format,
                        d.index(),
                        d.model(),
                        lost ? "–/" + d.memoryMiB() : d.memoryUsedMiB() + "/" + d.memoryMiB(),
                        lost ? "–" : watts(d.watts()) + "/" + watts(d.capWatts()),
                        lost ? "–" : Math.round(d.utilizationPercent()) + " %",
                        lost || d.temperatureCelsius() == 0 ? "–" : Math.round(d.temperatureCelsius()) + " °C",
                        lost ? "LOST" : "ok",
                        d.uuid())
                .stripTrailing();
    }

    /** 0 means that it cannot be read. */
    private static String watts(double watts) {
        return watts == 0 ? "–" : Long.toString(Math.round(watts));
    }
}

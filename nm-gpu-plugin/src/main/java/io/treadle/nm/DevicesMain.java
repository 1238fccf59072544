// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import io.treadle.core.wire.NodeRecord;
import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.device.DeviceBook;
import io.treadle.nm.device.DeviceProbe;
import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.DeviceProviderException;
import io.treadle.nm.device.NodeCapacity;
import io.treadle.nm.storage.StorageBandwidth;
import io.treadle.nm.telemetry.DeviceMonitor;
import java.io.PrintStream;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** {@code treadle devices}: what the node plugin sees on this machine, by the same code that the plugin runs. */
public final class DevicesMain {
    private DevicesMain() {}

    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments), System.out, System.err, Clock.systemUTC()));
    }

    /**
     * @return the exit status: 0 also where there are no GPUs, 1 if the provider that was named cannot be used, 2 for a
     *     wrong argument or setting
     */
    static int run(List<String> arguments, PrintStream out, PrintStream err, Clock clock) {
        try {
            DevicesOptions options = DevicesOptions.parse(arguments);
            if (options.help()) {
                out.print(DevicesOptions.USAGE);
                return 0;
            }
            return print(options, out, err, clock);
        } catch (IllegalArgumentException e) {
            err.println("treadle: " + e.getMessage());
            return 2;
        }
    }

    private static int print(DevicesOptions options, PrintStream out, PrintStream err, Clock clock) {
        YarnConfiguration hadoop = new YarnConfiguration();
        options.conf().ifPresent(file -> load(file, hadoop));
        options.provider().ifPresent(word -> hadoop.set(NodeConf.DEVICE_PROVIDER, word));
        NodeConf conf = NodeConf.from(hadoop);
        DeviceProbe.Discovery discovery = DeviceProbe.discover(conf, clock);
        if (discovery.broken()) {
            err.println("treadle: device provider " + String.join("; ", discovery.notes()));
            return 1;
        }
        try (DeviceProvider provider = discovery.provider()) {
            DeviceMonitor monitor = new DeviceMonitor(provider, new DeviceBook(provider.devices()), clock);
            monitor.read();
            NodeRecord node = monitor.record(conf.nodeName());
            if (options.json()) {
                out.println(node.toJson());
            } else if (options.nodeResources()) {
                out.print(NodeCapacity.toXml(NodeCapacity.of(
                        provider.devices().stream()
                                .filter(d -> !monitor.lost().contains(d.uuid()))
                                .toList(),
                        conf,
                        StorageBandwidth.known(conf))));
            } else {
                DevicesTable.print(node, provider.name(), discovery.notes(), out);
                tellSharing(provider, monitor.lost(), out);
            }
        }
        return 0;
    }

    /** By what energy is split, where GPUs are given to several containers. */
    private static void tellSharing(DeviceProvider provider, Set<String> lost, PrintStream out) {
        Map<String, List<String>> asked = new TreeMap<>();
        provider.devices().forEach(device -> asked.put(device.uuid(), List.of()));
        asked.keySet().removeAll(lost);
        if (asked.isEmpty()) {
            return;
        }
        Set<String> telling;
        try {
            telling = provider.processes(asked).keySet();
        } catch (DeviceProviderException e) {
            telling = Set.of();
        }
        if (telling.isEmpty()) {
            out.println(" a GPU that containers share: energy by memory, the provider does not tell processes' use");
        } else if (telling.containsAll(asked.keySet())) {
            out.println(" a GPU that containers share: energy by utilisation");
        } else {
            asked.keySet().removeAll(telling);
            out.println(" a GPU that containers share: energy by utilisation, by memory of "
                    + String.join(", ", asked.keySet()));
        }
    }

    private static void load(java.nio.file.Path file, Configuration hadoop) {
        hadoop.addResource(new Path(file.toUri()));
        try {
            hadoop.size(); // Parses now.
        } catch (RuntimeException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IllegalArgumentException(
                    "--conf is '" + file + "', must be a configuration of Hadoop in XML: " + cause.getMessage(), e);
        }
    }
}

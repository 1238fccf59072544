// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.core.wire.NodeRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What nodes draw now, and for whom, as they have said last. */
final class PowerMeter {
    /** A node writes at least every 10 s; after this it is taken for silent, ms. */
    static final long PATIENCE_MS = 60_000;
    /** A round asks once for each queue: within this the cluster is not added up anew, ms. */
    private static final long SAME_MOMENT_MS = 1_000;

    private final Owners owners;
    private final TreeMap<String, MeteredNode> nodes = new TreeMap<>();
    private final SleepingPeaks asleep = new SleepingPeaks();
    private double hostJoules;
    private long drawnMs = Long.MIN_VALUE;
    private ClusterDraw drawn = ClusterDraw.NOTHING;

    PowerMeter(Owners owners) {
        this.owners = owners;
    }

    synchronized void seen(String name, NodeRecord record, long nowMs) {
        MeteredNode node = nodes.get(name);
        if (node == null) {
            nodes.put(name, new MeteredNode(record, nowMs));
            drawnMs = Long.MIN_VALUE;
        } else {
            hostJoules += node.hostJoulesUntil(nowMs, PATIENCE_MS);
            node.see(record, nowMs);
        }
    }

    synchronized void gone(String name) {
        nodes.remove(name);
        drawnMs = Long.MIN_VALUE;
    }

    /** Hosts that are off, with what they draw at most when they are on, W: a peak is that of all that can be had. */
    synchronized void asleep(Map<String, Double> peaks, long nowMs) {
        asleep.set(peaks, nowMs);
        drawnMs = Long.MIN_VALUE;
    }

    /** What all nodes on the host draw at most, W; empty where none is known. */
    synchronized OptionalDouble peakWatts(String host) {
        double watts = nodes.entrySet().stream()
                .filter(e -> host(e.getKey()).equals(host))
                .mapToDouble(e -> e.getValue().peakWatts())
                .sum();
        return watts > 0 ? OptionalDouble.of(watts) : OptionalDouble.empty();
    }

    private static String host(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf(':')));
    }

    /** What nodes have used beside their GPUs since this began to look, J. */
    synchronized double hostJoules() {
        return hostJoules;
    }

    synchronized ClusterDraw draw(long nowMs) {
        if (drawnMs == Long.MIN_VALUE || nowMs - drawnMs >= SAME_MOMENT_MS || nowMs < drawnMs) {
            drawn = added(nowMs);
            drawnMs = nowMs;
        }
        return drawn;
    }

    private ClusterDraw added(long nowMs) {
        double watts = 0;
        double peak = 0;
        double idle = 0;
        Map<String, Double> queues = new HashMap<>();
        Map<String, Double> jobs = new HashMap<>();
        List<String> silent = new ArrayList<>();
        Map<String, Optional<Owner>> known = new HashMap<>();
        for (Map.Entry<String, MeteredNode> each : nodes.entrySet()) {
            MeteredNode node = each.getValue();
            // Where ZooKeeper is away nodes are silent and draw on: budgets go by what they said last.
            if (node.isSilentAt(nowMs, PATIENCE_MS)) {
                silent.add(each.getKey());
            } else {
                watts += node.watts();
            }
            peak += node.peakWatts();
            idle += node.idleWatts();
            for (NodeRecord.Device device : node.record().devices()) {
                for (String container : device.containers()) {
                    double part = device.watts() / device.containers().size();
                    ContainerNames.application(container)
                            .flatMap(id -> known.computeIfAbsent(id, owners::of))
                            .ifPresent(owner -> {
                                queues.merge(owner.queue(), part, Double::sum);
                                jobs.merge(owner.application(), part, Double::sum);
                            });
                }
            }
        }
        Set<String> metered = nodes.keySet().stream().map(PowerMeter::host).collect(Collectors.toSet());
        return new ClusterDraw(watts, peak + asleep.watts(metered, nowMs), idle, queues, jobs, silent);
    }

    /** Nodes that speak, by name. */
    synchronized List<PowerReport.Node> nodes(long nowMs) {
        return nodes.entrySet().stream()
                .filter(e -> !e.getValue().isSilentAt(nowMs, PATIENCE_MS))
                .map(e -> node(e.getKey(), e.getValue()))
                .toList();
    }

    private static PowerReport.Node node(String name, MeteredNode node) {
        return new PowerReport.Node(
                name,
                node.watts(),
                node.source(),
                node.record().devices().stream()
                        .map(d -> new PowerReport.Gpu(d, node.limitOf(d.uuid())))
                        .toList());
    }
}

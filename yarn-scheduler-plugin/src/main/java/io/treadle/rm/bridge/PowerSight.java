// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.PowerView;
import io.treadle.core.model.energy.HostDraw;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.DevicePower;
import io.treadle.core.wire.NodePower;
import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.power.Allowed;
import io.treadle.rm.profile.Telemetry;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/** What nodes and GPUs draw, by what they say themselves. Used by the planner thread. */
public final class PowerSight {
    /** Part of its limit that an idle GPU draws, as long as none was seen idle. */
    private static final double IDLE_PART = 0.15;
    /** Readings go up and down: profiles are not fitted anew for less, W. */
    private static final double IDLE_STEP = 10;

    /** What budgets leave, at one moment. */
    public interface Limits {
        /** Everything may draw what it can. */
        Limits NONE = queue -> Allowed.ALL;

        /** To the jobs of a queue. */
        Allowed of(String queue);
    }

    /**
     * What profiles of energy go by.
     *
     * @param leastWatts the least cap, W
     * @param mostWatts the highest of the administrator's own limits, W; a node brings caps down to its own
     * @param idleWatts what one draws that has nothing to do, as last seen, W
     */
    record Gpus(double leastWatts, double mostWatts, double idleWatts) {}

    private final SchedulerAccess scheduler;
    private final Telemetry telemetry;
    private final Supplier<Limits> limits;
    private final double secondsPerJoule;
    private final HostDraw hosts = new HostDraw();
    /** By node, when the reading was taken that was seen last, ms since the epoch. */
    private final Map<String, Long> read = new HashMap<>();

    private OptionalDouble seenIdleWatts = OptionalDouble.empty();
    /** Of this round: all queues are planned by the same. */
    private Optional<Limits> now = Optional.empty();

    private final Map<String, Draw> draws = new HashMap<>();

    /**
     * What the nodes of a partition say, of this round.
     *
     * @param nodes how many of them say anything
     * @param gpuWatts the highest limit of a GPU, W
     * @param idleWatts what a GPU draws that has nothing to do, W
     * @param elsewhere what all other nodes draw, W
     */
    private record Draw(
            boolean isKnown, int nodes, double gpuWatts, double idleWatts, HostDraw.Line host, double elsewhere) {}

    /** @param secondsPerJoule how much sooner a job must end for one joule more, s/J */
    public PowerSight(SchedulerAccess scheduler, Telemetry telemetry, Supplier<Limits> limits, double secondsPerJoule) {
        this.scheduler = scheduler;
        this.telemetry = telemetry;
        this.limits = limits;
        this.secondsPerJoule = secondsPerJoule;
    }

    /** Budgets are looked at anew when they are needed next. */
    void roundBegins() {
        now = Optional.empty();
        draws.clear();
    }

    private Allowed allowed(String queue) {
        Limits known = now.orElseGet(limits);
        now = Optional.of(known);
        return known.of(queue);
    }

    /**
     * Of the nodes of a snapshot; empty where none of them says anything of its draw. What nodes say is looked up once in a
     * round for all queues of a partition.
     *
     * @param nodes all of the partition's
     * @param planned containers of the jobs that are planned
     */
    Optional<PowerView> of(String partition, Collection<NodeReading> nodes, Set<ContainerId> planned, String queue) {
        Draw draw = draws.computeIfAbsent(partition, key -> draw(nodes));
        if (!draw.isKnown()) {
            return Optional.empty();
        }
        HostDraw.Line host = draw.host();
        Allowed allowed = allowed(queue);
        PowerView view = PowerView.unlimited(host.idleWatts(), draw.idleWatts(), draw.gpuWatts())
                .withPrice(Math.max(secondsPerJoule, allowed.secondsPerJoule()))
                .withJoulesLeft(allowed.joulesLeft());
        double elsewhere = draw.elsewhere();
        double spared = sparedByOthers(nodes, planned, draw.gpuWatts());
        OptionalDouble cluster = allowed.clusterWatts();
        OptionalDouble jobs = allowed.jobsWatts();
        double idleHosts = draw.nodes() * host.idleWatts();
        // What hosts draw the more for their GPUs' draw is taken off what GPUs may draw.
        double limit = cluster.isPresent()
                ? idleHosts + Math.max(0, cluster.getAsDouble() - elsewhere - idleHosts) / (1 + host.slope()) + spared
                : Double.POSITIVE_INFINITY;
        return Optional.of(view.withLimit(limit).withJobsLimit(jobs.orElse(Double.POSITIVE_INFINITY)));
    }

    private Draw draw(Collection<NodeReading> nodes) {
        Map<String, NodeRecord> records = new HashMap<>();
        nodes.forEach(node -> telemetry.node(node.id()).ifPresent(record -> records.put(node.id(), record)));
        if (records.values().stream().noneMatch(record -> record.power().isPresent())) {
            return new Draw(false, 0, 0, 0, hosts.line(), 0);
        }
        double gpuWatts = Math.max(1, ownLimit(records));
        double idle = Math.min(gpuWatts, idleWatts(records).orElse(IDLE_PART * gpuWatts));
        observeHosts(records);
        forgetGone();
        return new Draw(true, records.size(), gpuWatts, idle, hosts.line(), drawElsewhere(records.keySet()));
    }

    /** The highest of the administrators' limits on a GPU, W. */
    private static double ownLimit(Map<String, NodeRecord> records) {
        return records.values().stream()
                .flatMap(record -> record.devices().stream())
                .mapToDouble(device -> device.power()
                        .map(DevicePower::ownCapWatts)
                        .filter(own -> own > 0)
                        .orElse(device.capWatts()))
                .max()
                .orElse(0);
    }

    private OptionalDouble idleWatts(Map<String, NodeRecord> records) {
        OptionalDouble now = records.values().stream()
                .flatMap(record -> record.devices().stream())
                .filter(device -> device.containers().isEmpty() && device.watts() > 0)
                .mapToDouble(NodeRecord.Device::watts)
                .average();
        seenIdleWatts = now.isPresent() ? now : seenIdleWatts;
        return seenIdleWatts;
    }

    /** Takes note of what nodes draw without their GPUs, each reading once. */
    private void observeHosts(Map<String, NodeRecord> records) {
        records.forEach((node, record) -> record.power().ifPresent(power -> {
            Long before = read.put(node, record.updatedMs());
            if (before == null || before != record.updatedMs()) {
                hosts.add(
                        power.watts(),
                        record.devices().stream()
                                .mapToDouble(NodeRecord.Device::watts)
                                .sum());
            }
        }));
    }

    /** Else a cluster whose nodes come and go under new names would fill the memory. */
    private void forgetGone() {
        Collection<FiCaSchedulerNode> nodes = scheduler.nodes();
        if (read.size() > nodes.size()) {
            read.keySet()
                    .retainAll(nodes.stream()
                            .map(node -> node.getNodeID().toString())
                            .collect(Collectors.toSet()));
        }
    }

    /** What nodes draw on which these jobs cannot run, W. */
    private double drawElsewhere(Set<String> here) {
        return scheduler.nodes().stream()
                .map(node -> node.getNodeID().toString())
                .filter(node -> !here.contains(node))
                .flatMap(node -> telemetry.node(node).stream())
                .mapToDouble(record -> record.power().map(NodePower::watts).orElse(0.0))
                .sum();
    }

    /** What others' GPUs draw less than their limit, as they are under caps, W. */
    private static double sparedByOthers(Collection<NodeReading> nodes, Set<ContainerId> planned, double gpuWatts) {
        double spared = 0;
        for (NodeReading node : nodes) {
            for (NodeReading.Held held : node.containers()) {
                ResourceVector size = held.size();
                if (node.isReported() && size.watts() > 0 && !planned.contains(held.id())) {
                    spared += Math.max(0, size.gpus() * gpuWatts - size.watts());
                }
            }
        }
        return spared;
    }

    /**
     * The caps that GPUs of these models take; empty where nobody knows.
     *
     * @param models empty for all
     */
    Optional<Gpus> gpus(List<NodeView> nodes, Set<String> models) {
        Set<DevicePower> known = nodes.stream()
                .flatMap(node -> telemetry.node(node.id()).stream())
                .flatMap(record -> record.devices().stream())
                .filter(device -> models.isEmpty() || models.contains(device.model()))
                .flatMap(device -> device.power().stream())
                .filter(power -> power.ownCapWatts() > 0)
                .collect(Collectors.toSet());
        return known.isEmpty()
                ? Optional.empty()
                : Optional.of(new Gpus(
                        known.stream()
                                .mapToDouble(DevicePower::leastCapWatts)
                                .max()
                                .orElse(0),
                        known.stream()
                                .mapToDouble(DevicePower::ownCapWatts)
                                .max()
                                .orElse(0),
                        IDLE_STEP * Math.round(seenIdleWatts.orElse(0) / IDLE_STEP)));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import io.treadle.core.wire.SleepingNodesRecord;
import io.treadle.rm.sleep.SleepingHost.Stage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The hosts that are not on, by name. */
final class SleepTable {
    private static final Comparator<NodeKind> ORDER = Comparator.comparing(NodeKind::partition)
            .thenComparing(kind -> kind.capacity().toString());

    private final Map<String, SleepingHost> hosts = new TreeMap<>();

    Optional<SleepingHost> find(String host) {
        return Optional.ofNullable(hosts.get(host));
    }

    void put(String name, SleepingHost host) {
        hosts.put(name, host);
    }

    void remove(String name) {
        hosts.remove(name);
    }

    /** A copy, which may be gone over while hosts come and go. */
    Map<String, SleepingHost> all() {
        return new TreeMap<>(hosts);
    }

    Optional<String> first(Stage stage) {
        return hosts.entrySet().stream()
                .filter(e -> e.getValue().stage() == stage)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Of these hosts those that are on, and are to stay so as far as it is decided. */
    Map<String, HostSight> on(Map<String, HostSight> seen) {
        Map<String, HostSight> on = new TreeMap<>(seen);
        hosts.forEach((name, host) -> {
            if (!host.isOn()) {
                on.remove(name);
            }
        });
        return on;
    }

    /** What another ResourceManager has left: of what it was taking out nobody knows whether it is on. */
    void restore(SleepingNodesRecord record, long nowMs) {
        record.hosts().forEach((name, host) -> {
            List<NodeKind> kind = host.nodeManagers().stream()
                    .map(node -> new NodeKind(node.partition(), node.capacity()))
                    .sorted(ORDER)
                    .toList();
            boolean isUnsure = host.stage() == SleepingNodesRecord.Stage.DRAINING;
            hosts.put(
                    name,
                    new SleepingHost(
                            kind,
                            List.of(),
                            host.peakWatts(),
                            host.stage() == SleepingNodesRecord.Stage.OFF ? Stage.OFF : Stage.WAKING,
                            nowMs,
                            false,
                            isUnsure));
        });
    }

    SleepingNodesRecord record() {
        Map<String, SleepingNodesRecord.Host> all = new HashMap<>();
        hosts.forEach((name, host) -> all.put(
                name,
                new SleepingNodesRecord.Host(
                        stage(host),
                        host.peakWatts(),
                        host.kind().stream()
                                .map(kind -> new SleepingNodesRecord.Node(kind.partition(), kind.capacity()))
                                .toList())));
        return new SleepingNodesRecord(all);
    }

    private static SleepingNodesRecord.Stage stage(SleepingHost host) {
        if (host.mustReturn()) {
            return SleepingNodesRecord.Stage.DRAINING;
        }
        return switch (host.stage()) {
            case CHOSEN, DRAINING, TAKEN_BACK -> SleepingNodesRecord.Stage.DRAINING;
            case OFF -> SleepingNodesRecord.Stage.OFF;
            case WAKING -> SleepingNodesRecord.Stage.WAKING;
        };
    }

    /** Hosts that are chosen and still take containers. */
    Set<String> going() {
        return hosts.entrySet().stream()
                .filter(e -> e.getValue().stage() == Stage.CHOSEN)
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    List<SleepState> states() {
        List<SleepState> states = new ArrayList<>();
        hosts.forEach((name, host) -> {
            switch (host.stage()) {
                case CHOSEN, TAKEN_BACK -> {}
                case DRAINING -> states.add(new SleepState(name, SleepState.Stage.DRAINING, host.sinceMs()));
                case OFF ->
                    states.add(new SleepState(
                            name,
                            host.unreachable() ? SleepState.Stage.UNREACHABLE : SleepState.Stage.OFF,
                            host.sinceMs()));
                case WAKING -> states.add(new SleepState(name, SleepState.Stage.WAKING, host.sinceMs()));
            }
        });
        return states;
    }
}

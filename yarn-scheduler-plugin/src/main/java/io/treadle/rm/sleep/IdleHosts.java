// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import io.treadle.rm.conf.PowerOffSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Hosts that hold nothing, and how many of each kind there have to be. */
final class IdleHosts {
    private final PowerOffSettings settings;
    /** By host, ms. */
    private final Map<String, Long> since = new HashMap<>();

    IdleHosts(PowerOffSettings settings) {
        this.settings = settings;
    }

    /** @param on hosts that are on and stay on */
    void see(Collection<HostSight> on, long nowMs) {
        Map<String, Long> still = new HashMap<>();
        on.stream()
                .filter(IdleHosts::isIdle)
                .forEach(host -> still.put(host.name(), since.getOrDefault(host.name(), nowMs)));
        since.clear();
        since.putAll(still);
    }

    private static boolean isIdle(HostSight host) {
        return host.isRunning() && host.isEmpty();
    }

    /**
     * Hosts that may be switched off, the longest idle first. One of each kind stays on whether it is idle or not: YARN
     * refuses containers that no node of its could hold.
     *
     * @param on hosts that are on and stay on
     * @param needed nodes that something waits for
     */
    List<String> longEnough(Collection<HostSight> on, Set<String> needed, long nowMs) {
        List<String> all = new ArrayList<>();
        Map<List<NodeKind>, List<HostSight>> kinds = on.stream()
                .filter(HostSight::isRunning)
                .collect(Collectors.groupingBy(HostSight::kind, LinkedHashMap::new, Collectors.toList()));
        for (List<HostSight> kind : kinds.values()) {
            List<String> idle = kind.stream()
                    .filter(host -> isIdle(host) && host.ids().stream().noneMatch(needed::contains))
                    .map(HostSight::name)
                    .toList();
            int most = Math.min(idle.size() - settings.spare(), kind.size() - 1);
            idle.stream()
                    .filter(host -> nowMs - since.getOrDefault(host, nowMs)
                            >= settings.idle().toMillis())
                    .sorted(Comparator.<String>comparingLong(host -> since.getOrDefault(host, nowMs))
                            .thenComparing(host -> host))
                    .limit(Math.max(0, most))
                    .forEach(all::add);
        }
        return all;
    }

    /**
     * Hosts to switch on so that enough idle ones of their kind are there, and any at all: YARN refuses what none could hold.
     *
     * @param on hosts that are on and stay on
     * @param starting kinds of those that will be there soon
     * @param off those that can be switched on
     */
    List<String> sparesMissing(
            Collection<HostSight> on, Collection<List<NodeKind>> starting, Map<String, List<NodeKind>> off) {
        Map<List<NodeKind>, Long> there = new HashMap<>();
        on.stream().filter(IdleHosts::isIdle).forEach(host -> there.merge(host.kind(), 1L, Long::sum));
        starting.forEach(kind -> there.merge(kind, 1L, Long::sum));
        Set<List<NodeKind>> kinds = new HashSet<>(starting);
        on.stream().filter(HostSight::isRunning).map(HostSight::kind).forEach(kinds::add);
        List<String> missing = new ArrayList<>();
        off.forEach((name, kind) -> {
            boolean isSpare = there.merge(kind, 1L, Long::sum) <= settings.spare();
            boolean isFirst = kinds.add(kind);
            if (isSpare || isFirst) {
                missing.add(name);
            }
        });
        return missing;
    }
}

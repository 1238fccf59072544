// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import io.treadle.core.wire.SleepingNodesRecord;
import io.treadle.rm.conf.PowerOffSettings;
import io.treadle.rm.sleep.SleepingHost.Stage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which hosts are off. One that has held nothing for long enough is taken out of YARN and switched off, and switched on
 * again where something waits for it or too few idle hosts of its kind are left. Its steps are of one thread; what it shows
 * may be asked for by any.
 */
public final class NodeSleep implements Sleeping {
    private static final String UNREAD = " unread";
    private static final String PROMISED = " promised";

    private final YarnNodes yarn;
    private final SleepRecords records;
    private final HostPeaks peaks;
    private final SleepTable table = new SleepTable();
    private final Troubles troubles = new Troubles();
    private final IdleHosts idle;
    private final HostProgress progress;
    private final HostSwitch commands;
    private final Drains drains;
    private final LongWaits longWaits = new LongWaits();
    private volatile boolean known;
    private volatile Set<String> going = Set.of();
    private volatile List<SleepState> states = List.of();
    private volatile List<String> warnings = List.of();
    private volatile List<NodeKind> off = List.of();

    /**
     * @param records where it stands which hosts are off: none goes before it stands there
     * @param peaks is told of hosts that are off
     */
    public NodeSleep(PowerOffSettings settings, YarnNodes yarn, Switch hook, SleepRecords records, HostPeaks peaks) {
        this.yarn = yarn;
        this.records = records;
        this.peaks = peaks;
        Pauses pauses = new Pauses();
        this.idle = new IdleHosts(settings);
        this.commands = new HostSwitch(settings, hook, table, pauses, troubles);
        this.progress = new HostProgress(settings, yarn, table, pauses, troubles, commands);
        this.drains = new Drains(settings, yarn, table, idle, records, peaks, troubles);
    }

    /** Hosts that a ResourceManager before this one has switched off; to be said before the first step. */
    public void restore(SleepingNodesRecord before, long nowMs) {
        table.restore(before, nowMs);
        troubles.over(UNREAD);
        show(Map.of());
        known = true;
    }

    /** It cannot be found out now which hosts are off: none is switched. */
    public void unknown(String why) {
        troubles.tell(UNREAD, why);
        warnings = troubles.all();
    }

    /** Looks at all hosts and calls at most one command: a slow one must not hold up what comes to be needed meanwhile. */
    public void step(long nowMs) throws InterruptedException {
        List<NodeSight> nodes = yarn.nodes();
        Map<String, HostSight> seen = HostSight.byName(nodes);
        progress.see(seen, nowMs);
        Collection<HostSight> on = table.on(seen).values();
        idle.see(on, nowMs);

        Map<String, List<NodeKind>> asleep = asleep(nowMs);
        Map<String, List<NodeKind>> starting = starting(seen);
        List<NodeKind> all = new ArrayList<>();
        asleep.values().forEach(all::addAll);
        starting.values().forEach(all::addAll);
        List<NodeKind> coming = starting.values().stream().flatMap(List::stream).toList();
        Waiting waiting = yarn.waiting(all);
        WakePlan plan = WakePlan.of(waiting.needs(), nodes, coming, asleep);

        Set<String> wanted = new LinkedHashSet<>(plan.woken());
        wanted.addAll(idle.sparesMissing(on, starting.values(), reachable(asleep)));
        wanted.addAll(longWaits.wake(waiting, starting.values(), asleep, nowMs));
        wanted.addAll(toReturn());
        boolean allStayOn = allStayOn();
        if (allStayOn) {
            wanted.addAll(asleep.keySet());
        }
        boolean called = wake(wanted, seen, nowMs) || switchOff(seen, nowMs);
        if (allStayOn || !plan.woken().isEmpty()) {
            drains.stop();
        } else if (!called) {
            drains.goOn(needed(plan, waiting, nodes), commands.mayGoOff(nowMs), nowMs);
        }
        records.keep(table.record());
        show(seen);
    }

    /** YARN deletes reservations for which the nodes that are on are too few. */
    private boolean allStayOn() {
        if (!yarn.promisesRoom()) {
            troubles.over(PROMISED);
            return false;
        }
        troubles.tell(
                PROMISED,
                "A queue is reservable, and YARN deletes reservations that the nodes which are on cannot hold: all nodes"
                        + " stay on, whatever yarn.scheduler.treadle.power.off.command says.");
        return true;
    }

    /** Nodes that are kept: for what has room there, and wherever anything waits, as queues' limits fall with each that goes. */
    private static Set<String> needed(WakePlan plan, Waiting waiting, List<NodeSight> nodes) {
        Set<String> needed = new HashSet<>(plan.used());
        nodes.stream()
                .filter(node -> waiting.partitions().contains(node.partition()))
                .forEach(node -> needed.add(node.id()));
        return needed;
    }

    /** What can be had, the soonest first: what drains still, what is off, and what did not come before. */
    private Map<String, List<NodeKind>> asleep(long nowMs) {
        Map<String, List<NodeKind>> draining = new LinkedHashMap<>();
        Map<String, List<NodeKind>> off = new LinkedHashMap<>();
        Map<String, List<NodeKind>> unreached = new LinkedHashMap<>();
        table.all().forEach((name, host) -> {
            if (yarn.isExcluded(name)) {
                return;
            }
            if (host.stage() == Stage.DRAINING) {
                draining.put(name, host.kind());
            } else if (host.stage() == Stage.OFF && commands.mayComeOn(name, host, nowMs)) {
                (host.unreachable() ? unreached : off).put(name, host.kind());
            }
        });
        draining.putAll(off);
        draining.putAll(unreached);
        return draining;
    }

    private Map<String, List<NodeKind>> starting(Map<String, HostSight> seen) {
        Map<String, List<NodeKind>> starting = new LinkedHashMap<>();
        table.all().forEach((name, host) -> {
            if (host.stage() == Stage.WAKING && !host.unreachable() && !yarn.isExcluded(name)) {
                starting.put(name, host.missing(seen.get(name)));
            }
        });
        return starting;
    }

    private Map<String, List<NodeKind>> reachable(Map<String, List<NodeKind>> asleep) {
        Map<String, List<NodeKind>> reachable = new LinkedHashMap<>(asleep);
        reachable.keySet().removeIf(name -> table.find(name).orElseThrow().unreachable());
        return reachable;
    }

    /** What is not there though it is not meant to be off is asked for again and again. */
    private List<String> toReturn() {
        return table.all().entrySet().stream()
                .filter(e -> e.getValue().mustReturn() || e.getValue().unreachable())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** @return whether a command was called */
    private boolean wake(Set<String> wanted, Map<String, HostSight> seen, long nowMs) throws InterruptedException {
        for (String name : wanted) {
            Optional<SleepingHost> host = table.find(name);
            HostSight sight = seen.get(name);
            if (host.isPresent() && host.get().stage() == Stage.DRAINING && sight != null) {
                progress.takeBack(name, host.get(), sight, nowMs);
            } else if (host.isPresent() && progress.isOut(name, host.get(), seen)) {
                table.put(name, host.get().askedBack(nowMs));
            }
        }
        for (String name : wanted) {
            Optional<SleepingHost> host = table.find(name).filter(h -> h.stage() == Stage.OFF);
            if (host.isPresent() && commands.mayComeOn(name, host.get(), nowMs) && !yarn.isExcluded(name)) {
                commands.on(name, host.get(), nowMs);
                return true;
            }
        }
        return false;
    }

    /** @return whether a command was called */
    private boolean switchOff(Map<String, HostSight> seen, long nowMs) throws InterruptedException {
        for (Map.Entry<String, SleepingHost> each : table.all().entrySet()) {
            if (progress.isOut(each.getKey(), each.getValue(), seen)) {
                commands.off(each.getKey(), each.getValue(), nowMs);
                return true;
            }
        }
        return false;
    }

    private void show(Map<String, HostSight> seen) {
        List<NodeKind> offered = new ArrayList<>();
        Map<String, Double> draw = new HashMap<>();
        table.all().forEach((name, host) -> {
            if (!host.isOn() && !host.unreachable() && !yarn.isExcluded(name)) {
                offered.addAll(host.missing(seen.get(name)));
                draw.put(name, host.peakWatts());
            }
        });
        off = List.copyOf(offered);
        peaks.asleep(draw);
        going = table.going();
        states = List.copyOf(table.states());
        warnings = troubles.all();
    }

    @Override
    public List<SleepState> states() {
        return states;
    }

    @Override
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public boolean isKnown() {
        return known;
    }

    @Override
    public boolean isGoing(String host) {
        return going.contains(host);
    }

    @Override
    public boolean isAnyGoing() {
        return !going.isEmpty();
    }

    @Override
    public List<NodeKind> off() {
        return off;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import io.treadle.rm.conf.PowerOffSettings;
import io.treadle.rm.sleep.NodeSight.Stage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which nodes are off. A node that has held nothing for long enough is taken out of YARN and switched off, and switched on
 * again where something waits for it or too few empty nodes of its kind are left. Its steps are of one thread; what it shows
 * may be asked for by any.
 */
public final class NodeSleep implements Sleeping {
    private static final Logger LOG = LoggerFactory.getLogger(NodeSleep.class);
    /** YARN needs a moment to begin, ms. */
    private static final long DRAIN_MS = 30_000;
    /** One hook that cannot switch nodes off must not take out one node after the other. */
    private static final String OFF = "off";

    private final PowerOffSettings settings;
    private final YarnNodes yarn;
    private final Optional<Switch> hook;
    private final Consumer<NodeSleep> keeper;
    private final EmptyNodes empty;
    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, String> troubles = new TreeMap<>();
    private final Pauses pauses = new Pauses();
    private volatile List<SleepState> states = List.of();
    private volatile List<String> warnings = List.of();
    private volatile Map<String, NodeKind> kept = Map.of();

    /** One that is not on. */
    private record Node(NodeKind kind, SleepState.Stage stage, long sinceMs) {}

    /**
     * @param hook empty where nodes are not to be switched, but only shown
     * @param keeper called whenever {@link #off} is to be written down
     */
    public NodeSleep(PowerOffSettings settings, YarnNodes yarn, Optional<Switch> hook, Consumer<NodeSleep> keeper) {
        this.settings = settings;
        this.yarn = yarn;
        this.hook = hook;
        this.keeper = keeper;
        this.empty = new EmptyNodes(settings);
    }

    /** Nodes that a ResourceManager before this one has switched off; to be said before the first step. */
    public void restore(Map<String, NodeKind> off, long nowMs) {
        off.forEach((id, kind) -> nodes.put(id, new Node(kind, SleepState.Stage.OFF, nowMs)));
        kept = Map.copyOf(off);
    }

    /** Looks at all nodes, and switches those that are to be switched now. */
    public void step(long nowMs) throws InterruptedException {
        List<NodeSight> seen = yarn.nodes();
        Map<String, NodeSight> byId = new LinkedHashMap<>();
        seen.forEach(node -> byId.put(node.id(), node));
        empty.see(seen, nowMs);
        goOn(byId, nowMs);
        WakePlan plan = WakePlan.of(yarn.needs(notRunning()), seen, in(SleepState.Stage.WAKING), notWaking());
        List<String> spares = empty.sparesMissing(seen, in(SleepState.Stage.WAKING), notWaking());
        for (String id : plan.woken()) {
            wake(id, nowMs);
        }
        for (String id : spares) {
            wake(id, nowMs);
        }
        List<NodeSight> candidates = plan.woken().isEmpty() ? empty.longEnough(seen, plan.used(), nowMs) : List.of();
        if (hook.isPresent() && pauses.isOver(OFF, nowMs)) {
            for (NodeSight node : candidates) {
                LOG.info(
                        "Node {} has held nothing for {}: it is taken out and switched off",
                        node.id(),
                        settings.idle());
                nodes.put(node.id(), new Node(node.kind(), SleepState.Stage.DRAINING, nowMs));
                keep();
                yarn.drain(node.id());
            }
        }
        keep();
        show(hook.isPresent() ? List.of() : candidates, nowMs);
    }

    /** What was begun with nodes goes on. */
    private void goOn(Map<String, NodeSight> seen, long nowMs) throws InterruptedException {
        for (Map.Entry<String, Node> each : List.copyOf(nodes.entrySet())) {
            String id = each.getKey();
            Node node = each.getValue();
            NodeSight sight = seen.get(id);
            if (node.stage() == SleepState.Stage.DRAINING) {
                drained(id, node, sight, nowMs);
            } else if (sight != null && sight.stage() == Stage.RUNNING) {
                LOG.info("Node {} is on again", id);
                forget(id);
            } else if (node.stage() == SleepState.Stage.WAKING
                    && nowMs - node.sinceMs() >= settings.wake().toMillis()) {
                failed(
                        id,
                        id + " was switched on and has not come in "
                                + settings.wake().toSeconds() + " s.",
                        nowMs);
                nodes.put(id, new Node(node.kind(), SleepState.Stage.OFF, nowMs));
            }
        }
    }

    private void drained(String id, Node node, @Nullable NodeSight sight, long nowMs) throws InterruptedException {
        if (sight == null && yarn.isDecommissioned(id)) {
            switchOff(id, node, nowMs);
        } else if (sight == null) {
            LOG.info("Node {} was lost while it was taken out: it is left alone", id);
            forget(id);
        } else if (!sight.empty()) {
            LOG.info("Node {} has got containers while it was taken out: it stays", id);
            yarn.keep(id);
            forget(id);
        } else if (sight.stage() != Stage.DRAINING && nowMs - node.sinceMs() > DRAIN_MS) {
            LOG.info("Node {} was not taken out, or taken in again by somebody: it is left alone", id);
            forget(id);
        }
    }

    private void switchOff(String id, Node node, long nowMs) throws InterruptedException {
        try {
            hook.orElseThrow().turn(false, id);
            pauses.worked(OFF);
            troubles.remove(id);
            nodes.put(id, new Node(node.kind(), SleepState.Stage.OFF, nowMs));
            LOG.info("Node {} is off", id);
        } catch (IOException e) {
            pauses.failed(OFF, nowMs);
            trouble(id, id + " cannot be switched off, and is to take containers again: " + e.getMessage() + ".");
            // Its NodeManager was told to stop.
            nodes.put(id, new Node(node.kind(), SleepState.Stage.OFF, nowMs));
            switchOn(id, nowMs);
        }
    }

    private void wake(String id, long nowMs) throws InterruptedException {
        Node node = nodes.get(id);
        if (node == null || node.stage() == SleepState.Stage.WAKING || hook.isEmpty()) {
            return;
        }
        if (node.stage() == SleepState.Stage.DRAINING) {
            yarn.keep(id);
            forget(id);
        } else if (pauses.isOver(id, nowMs)) {
            LOG.info("Node {} is needed: it is switched on", id);
            switchOn(id, nowMs);
        }
    }

    private void switchOn(String id, long nowMs) throws InterruptedException {
        Node node = nodes.get(id);
        try {
            hook.orElseThrow().turn(true, id);
            if (node != null) {
                nodes.put(id, new Node(node.kind(), SleepState.Stage.WAKING, nowMs));
            }
        } catch (IOException e) {
            failed(id, id + " cannot be switched on: " + e.getMessage() + ".", nowMs);
        }
    }

    private void failed(String id, String what, long nowMs) {
        pauses.failed(id, nowMs);
        trouble(id, what);
    }

    /** Told once; shown for as long as it is so. */
    private void trouble(String id, String what) {
        String sentence = "Node " + what;
        if (!sentence.equals(troubles.put(id, sentence))) {
            LOG.warn("{}", sentence);
        }
    }

    private void forget(String id) {
        nodes.remove(id);
        pauses.worked(id);
        troubles.remove(id);
    }

    private Map<String, NodeKind> in(SleepState.Stage stage) {
        return nodes.entrySet().stream()
                .filter(e -> e.getValue().stage() == stage)
                .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().kind(), (a, b) -> a, TreeMap::new));
    }

    /** Those that drain stay on for the asking. */
    private Map<String, NodeKind> notWaking() {
        Map<String, NodeKind> off = in(SleepState.Stage.OFF);
        off.putAll(in(SleepState.Stage.DRAINING));
        return off;
    }

    private Map<String, NodeKind> notRunning() {
        Map<String, NodeKind> all = notWaking();
        all.putAll(in(SleepState.Stage.WAKING));
        return all;
    }

    private void keep() {
        Map<String, NodeKind> now = notRunning();
        if (!now.equals(kept)) {
            kept = Map.copyOf(now);
            keeper.accept(this);
        }
    }

    private void show(List<NodeSight> candidates, long nowMs) {
        List<SleepState> all = new ArrayList<>();
        nodes.forEach((id, node) -> all.add(new SleepState(id, node.stage(), node.sinceMs())));
        candidates.forEach(node -> all.add(new SleepState(
                node.id(),
                SleepState.Stage.COULD_BE_OFF,
                empty.sinceMs(node.id()).orElse(nowMs))));
        states = List.copyOf(all);
        warnings = List.copyOf(troubles.values());
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
    public Map<String, NodeKind> off() {
        return kept;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.simulator.cluster.Outages;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Closes nodes, stops what runs on those that go down, and opens them again. */
final class NodeEvents {
    /** So many changes of nodes, and so many for each, without anything else happening: then nothing will. */
    private static final long MOST_IN_VAIN = 1000;

    private static final long MOST_IN_VAIN_PER_NODE = 10;

    private final NodeChanges changes;
    private final List<World> worlds;
    private final Recorder recorder;
    private final Map<String, World> worldOf = new HashMap<>();
    private final long mostInVain;
    private long inVain;

    NodeEvents(Outages outages, List<World> worlds, Recorder recorder) {
        this.changes = new NodeChanges(outages);
        this.worlds = worlds;
        this.recorder = recorder;
        if (!outages.isEmpty()) {
            worlds.forEach(world -> world.nodes().forEach(node -> worldOf.put(node, world)));
        }
        mostInVain = MOST_IN_VAIN + MOST_IN_VAIN_PER_NODE * worldOf.size();
    }

    /**
     * When the next one matters, ms.
     *
     * @param otherwiseMs when anything else happens; {@link Long#MAX_VALUE} for never
     */
    long nextMs(long otherwiseMs) {
        if (otherwiseMs != Long.MAX_VALUE) {
            inVain = 0;
            return Math.min(otherwiseMs, changes.nextMs());
        }
        boolean isWaitedFor = inVain < mostInVain && worlds.stream().anyMatch(World::hasWaiting);
        return isWaitedFor ? changes.nextMs() : Long.MAX_VALUE;
    }

    void at(long nowMs) {
        for (NodeChanges.Change change : changes.until(nowMs)) {
            inVain++;
            World world = worldOf.get(change.node());
            if (world != null) {
                at(nowMs, change.node(), change.kind(), world);
            }
        }
    }

    private void at(long nowMs, String node, NodeChanges.Kind kind, World world) {
        switch (kind) {
            case CLOSES -> world.nodeOpens(node, false);
            case GOES_DOWN -> {
                recorder.nodeDown(node);
                for (JobRun job : world.running()) {
                    if (job.nodes().contains(node)) {
                        recorder.failed(job);
                        job.fail(nowMs);
                        world.waitsAgain(job);
                    }
                }
            }
            case COMES_UP -> recorder.nodeUp(node);
            case OPENS -> world.nodeOpens(node, true);
        }
    }
}

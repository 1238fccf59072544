// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.rm.bridge.ContainerCaps;
import io.treadle.rm.gang.GangTable;
import io.treadle.rm.power.CapsSender;
import io.treadle.rm.profile.Telemetry;
import java.time.Duration;
import java.util.function.LongConsumer;

/**
 * Tells nodes in each round what caps their containers stand for. To find out means to look at all containers of the cluster: with no
 * job of Treadle's and no cap told it is done a few times in a lease. Used by the planner thread.
 */
final class CapsRounds implements LongConsumer {
    private static final int LOOKS_PER_LEASE = 3;

    private final ContainerCaps caps;
    private final CapsSender sender;
    private final GangTable gangs;
    private final Telemetry telemetry;
    private final long restMs;
    private long lookedMs;

    CapsRounds(ContainerCaps caps, CapsSender sender, GangTable gangs, Telemetry telemetry, Duration lease) {
        this.caps = caps;
        this.sender = sender;
        this.gangs = gangs;
        this.telemetry = telemetry;
        this.restMs = lease.toMillis() / LOOKS_PER_LEASE;
    }

    /** @param nowMs ms since the epoch */
    @Override
    public void accept(long nowMs) {
        boolean isSomebodyTold = !gangs.isEmpty() || sender.isTelling();
        boolean isResting = nowMs >= lookedMs && nowMs - lookedMs < restMs;
        // Where no node has spoken there is none to tell.
        if (isSomebodyTold || (!isResting && telemetry.knowsNodes())) {
            lookedMs = nowMs;
            sender.send(caps.byNode(), nowMs);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.rm.bridge.GangReservation;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * For how long room may still be reserved for gangs. A reservation may end early and come again: all of a gang's count together, else
 * short interruptions would keep the room from others without end. Used by the planner thread.
 */
final class HoldingTimes {
    private final long atMostMs;
    private final Map<ApplicationId, Ended> ended = new HashMap<>();

    /**
     * @param leftMs of the time that the gang had, ms
     * @param atMs when its reservation ended, ms since the epoch
     */
    private record Ended(long leftMs, long atMs) {}

    /** @param atMost for how long room is reserved for a gang */
    HoldingTimes(Duration atMost) {
        this.atMostMs = atMost.toMillis();
    }

    /** For how long room may be reserved for the gang from now on, ms: all of the time again after as long without. */
    long leftMs(ApplicationId gang, long nowMs) {
        Ended last = ended.get(gang);
        return last == null || nowMs - last.atMs() >= atMostMs ? atMostMs : last.leftMs();
    }

    /** A gang's reservation has ended, and the gang waits on. */
    void ended(GangReservation reservation, long nowMs) {
        ended.put(reservation.gang(), new Ended(Math.max(0, reservation.untilMs() - nowMs), nowMs));
    }

    /** The gang has started, or asks for something else. */
    void forget(ApplicationId gang) {
        ended.remove(gang);
    }

    /** Forgets all gangs but these. */
    void keep(Collection<ApplicationId> gangs) {
        ended.keySet().retainAll(gangs);
    }
}

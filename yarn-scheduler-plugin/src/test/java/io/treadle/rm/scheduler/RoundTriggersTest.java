// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.rm.scheduler.RoundTriggers.Rests;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In a large cluster the planner takes no more than a third of a core however often something happens, and less where nothing does. */
class RoundTriggersTest {
    private static final long MS = 1_000_000;

    /** As in the middle of a busy cluster: rounds of 170 ms. */
    private static final Rests COSTLY = new Rests(200, 340, 3_230, 3_230);

    private final AtomicLong nanos = new AtomicLong();
    private final RoundTriggers triggers = new RoundTriggers(nanos::get);

    @ParameterizedTest(name = "after a round of {0} ms, room kept: {2}")
    @CsvSource({
        "0, 5000, false, 0, 0, 1000",
        "10, 5000, false, 20, 190, 1000",
        "100, 5000, false, 200, 1900, 1900",
        "170, 5000, false, 340, 3230, 3230",
        "400, 5000, false, 800, 5000, 5000",
        "9000, 5000, false, 2000, 5000, 5000",
        "9000, 900, false, 900, 900, 1000",
        "170, 5000, true, 340, 340, 1000"
    })
    void thePlannerRestsTheLongerTheMoreARoundCosts(
            long roundMs, long mostMs, boolean holding, long gangsMs, long othersMs, long idleMs) {
        assertEquals(new Rests(200, gangsMs, othersMs, idleMs), Rests.after(roundMs, 200, 1_000, mostMs, holding));
    }

    @Test
    void whatHappensToAGangIsPlannedAfterTheGapOrTheRest() {
        triggers.gangs();
        assertEquals(340, leftMs(0));
        nanos.set(1_000 * MS);
        // It has waited long enough.
        assertEquals(-660, leftMs(0));
        // The round before it has ended at this moment.
        assertEquals(340, leftMs(1_000));
    }

    @Test
    void whatHappensLongAfterARoundWaitsForTheGapAlone() {
        nanos.set(3_000 * MS);
        triggers.gangs();
        nanos.set(3_050 * MS);
        triggers.gangs();
        assertEquals(150, leftMs(0));
    }

    @Test
    void otherApplicationsDoNotMakeCostlyRoundsFollowEachOther() {
        for (int i = 0; i < 1_000; i++) {
            nanos.set(i * MS);
            triggers.others();
        }
        assertEquals(3_230 - 999, leftMs(0));
        // Theirs has been seen as well once a gang's has been.
        triggers.gangs();
        assertEquals(200, leftMs(0));
    }

    @Test
    void cheapRoundsFollowWhatOtherApplicationsDoAtOnce() {
        triggers.others();
        assertEquals(200, Math.round(triggers.left(Rests.after(5, 200, 1_000, 5_000, false), 0) / (double) MS));
    }

    @Test
    @Timeout(300)
    void anEventEndsTheWaitAndIsForgotten() throws InterruptedException {
        RoundTriggers real = new RoundTriggers(System::nanoTime);
        Thread other = new Thread(real::gangs);
        other.start();
        real.await(new Rests(1, 1, 3_600_000, 3_600_000));
        other.join();
        assertTrue(real.left(new Rests(1, 1, 3_600_000, 3_600_000), System.nanoTime()) > 3_000_000 * MS);
    }

    private long leftMs(long endedMs) {
        return triggers.left(COSTLY, endedMs * MS) / MS;
    }
}

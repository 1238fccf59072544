// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.treadle.core.query.Adjustment.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompassAdjusterTest {
    private static final Model MODEL = new Model(3, "m", 50);
    /** Runs 20 ms: the threshold of 1.5 is 30 ms. A transfer of its 2 kB takes 8.5 ms, its model 50 ms. */
    private static final QueryTask TASK = Known.task(1, List.of(MODEL), 20, 2, 1, 0);

    private static final QueryTask JOINT = Known.task(2, List.of(), 20, 2, 1, 0, 1);

    private static int adjust(Rule rule, QueryTask task, int planned, int here, Known.Worker... workers) {
        return new CompassAdjuster(Costs.of(Known.DELAYS), new Adjustment(rule, 1.5))
                .adjust(task, planned, here, Known.view(List.of(workers)));
    }

    @Test
    void byLoadItStaysUpToTheThreshold() {
        Known.Worker here = Known.worker(0, 100, 3);
        assertEquals(1, adjust(Rule.LOAD, TASK, 1, 0, here, Known.worker(30, 100, 3)));
        assertEquals(0, adjust(Rule.LOAD, TASK, 1, 0, here, Known.worker(30.001, 100, 3)));
    }

    @Test
    void byLoadItMayStayBeyondTheThresholdToo() {
        // Here it costs 50 ms of fetching, there 31 + 8.5 ms.
        assertEquals(1, adjust(Rule.LOAD, TASK, 1, 0, Known.worker(0, 100), Known.worker(31, 100, 3)));
        // With others that have to go for it twice as much.
        assertEquals(1, adjust(Rule.LOAD, TASK, 1, 0, Known.worker(0, 49), Known.worker(91, 100, 3)));
        assertEquals(0, adjust(Rule.LOAD, TASK, 1, 0, Known.worker(0, 49), Known.worker(92, 100, 3)));
    }

    @Test
    void byGainItMovesForMoreThanTheThresholdAlone() {
        // There it begins after 41 + 8.5 ms, here after 19.5 ms: a gain of 30 ms.
        assertEquals(1, adjust(Rule.GAIN, TASK, 1, 0, Known.worker(19.5, 100, 3), Known.worker(41, 100, 3)));
        assertEquals(0, adjust(Rule.GAIN, TASK, 1, 0, Known.worker(19.4, 100, 3), Known.worker(41, 100, 3)));
    }

    /** Where all have much to do a move costs a place in a queue and gains nothing. */
    @Test
    void byGainItStaysWhereAllHaveMuchToDo() {
        Known.Worker here = Known.worker(1000, 100, 3);
        assertEquals(1, adjust(Rule.GAIN, TASK, 1, 0, here, Known.worker(1010, 100, 3)));
        assertEquals(0, adjust(Rule.LOAD, TASK, 1, 0, here, Known.worker(1010, 100, 3)));
    }

    @Test
    void whatWaitsForSeveralStays() {
        for (Rule rule : Rule.values()) {
            assertEquals(1, adjust(rule, JOINT, 1, 0, Known.worker(0, 100), Known.worker(9999, 100)));
        }
    }

    @Test
    void neverMeansNever() {
        assertEquals(1, adjust(Rule.NONE, TASK, 1, 0, Known.worker(0, 100, 3), Known.worker(9999, 0)));
    }

    @Test
    void namesTheRulesThatThereAre() {
        assertEquals(
                "must be one of none, load, gain",
                assertThrows(IllegalArgumentException.class, () -> Rule.of("luck"))
                        .getMessage());
        assertThrows(IllegalArgumentException.class, () -> new Adjustment(Rule.LOAD, -1));
    }
}

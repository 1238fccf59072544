// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.query.Model;
import java.util.List;
import org.junit.jupiter.api.Test;

class LearnedDelaysTest {
    private static final Model MODEL = new Model(1, "m", 1000);

    private final LearnedDelays delays = new LearnedDelays(List.of(
            new ModelFacts("l", 10, 5, 0, List.of(), List.of()),
            new ModelFacts("m", 1000, 40, 0, List.of(), List.of())));

    @Test
    void loadsAreWhatTheyWereAndThenWhatTheyAre() {
        assertEquals(40, delays.fetchMs(MODEL));
        delays.loaded(1, 100);
        assertEquals(100, delays.fetchMs(MODEL));
        delays.loaded(1, 50);
        // Each new one counts for a fifth.
        assertEquals(90, delays.fetchMs(MODEL), 1e-9);
        assertEquals(5, delays.fetchMs(new Model(0, "l", 10)));
    }

    @Test
    void whatCannotBeIsNotLearnt() {
        delays.loaded(1, Double.NaN);
        delays.loaded(1, -1);
        delays.loaded(7, 1);
        delays.loaded(-1, 1);
        assertEquals(40, delays.fetchMs(MODEL));
    }

    @Test
    void outputsTakeTheNetwork() {
        // A megabyte at 10 Gbit/s less its overhead, and twice the way between host and GPU.
        assertEquals(1.2 + 2 / 12.0, delays.transferMs(1000), 1e-9);
        assertTrue(delays.transferMs(0) > 0);
    }
}

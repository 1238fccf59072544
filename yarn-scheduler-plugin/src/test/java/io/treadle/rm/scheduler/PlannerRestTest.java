// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In a large cluster the planner takes no more than a third of a core however often something happens, and less where nothing does. */
class PlannerRestTest {
    @ParameterizedTest(name = "after a round of {1} ms")
    @CsvSource({"200, 0, 200", "200, 100, 200", "200, 340, 680", "200, 5000, 2000", "60000, 5000, 60000"})
    void isTwiceAsLongAsTheRoundBefore(long gapMs, long roundMs, long restMs) {
        assertEquals(restMs, RoundDriver.restMs(gapMs, roundMs));
    }

    @ParameterizedTest(name = "after a round of {1} ms")
    @CsvSource({
        "1000, 0, 5000, 1000",
        "1000, 40, 5000, 1000",
        "1000, 100, 5000, 1900",
        "1000, 400, 5000, 5000",
        "1000, 400, 900, 1000"
    })
    void withoutATriggerIsLongerTheMoreARoundCosts(long maxAgeMs, long roundMs, long mostMs, long idleMs) {
        assertEquals(idleMs, RoundDriver.idleMs(maxAgeMs, roundMs, mostMs));
    }
}

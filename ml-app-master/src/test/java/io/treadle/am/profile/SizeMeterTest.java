// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SizeMeterTest {
    /** Sizes take from 2 to 8 s after 1 s to settle, and are to be known to 2 %. */
    private static final ProfileSettings SETTINGS = new ProfileSettings(true, 2, 8, 600, 1, 5, 0.02, 1, 100, 0.15, 600);

    private final SampleSeries series = new SampleSeries();

    /** Looks four times a second at a worker that does 10 samples in each step of 0.2 s, and stands still in between. */
    private double secondsUntilKnown(double stillFrom, double stillTo) {
        SizeMeter meter = new SizeMeter(SETTINGS);
        int step = 0;
        double samples = 0;
        for (double now = 0.25; now < 100; now += 0.25) {
            for (double at = 0.2 * (step + 1); at <= now; at = 0.2 * (step + 1)) {
                step++;
                if (at < stillFrom || at >= stillTo) {
                    samples += 10;
                    series.add(at, samples);
                }
            }
            Observation seen =
                    new Observation(now, true, 1, new Conditions(4, 1024, 0, false), 4, true, true, List.of(series));
            Optional<RateEstimate> known = meter.observe(seen, SETTINGS.stepMinSeconds());
            if (known.isPresent()) {
                assertTrue(known.get().relativeError() > 0.02, known::toString);
                return now;
            }
        }
        throw new AssertionError("never known: " + series.size() + " readings");
    }

    @Test
    void aSizeThatSomethingDisturbsIsMeasuredForTwiceAsLong() {
        // From 0.25 s on, 1 s to settle, 16 s.
        assertEquals(17.25, secondsUntilKnown(2, 8));
    }

    @Test
    void oneThatIsKnownToTenPerCentIsNot() {
        assertEquals(9.25, secondsUntilKnown(2, 2.6));
    }
}

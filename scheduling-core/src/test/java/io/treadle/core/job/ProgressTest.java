// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.policy.order.Moment;
import io.treadle.core.policy.order.Srtf;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What jobs say of how far they are. */
class ProgressTest {
    @Test
    void timeLeftIsOfWhatIsLeft() {
        assertEquals(OptionalDouble.of(20), Progress.said(60, 100, .5, 0).remainingSeconds(0));
        assertEquals(OptionalDouble.empty(), Progress.said(60, 0, .5, 0).remainingSeconds(0));
        assertEquals(OptionalDouble.of(0), Progress.said(110, 100, .5, 0).remainingSeconds(0), "about to end");
    }

    /** It has run for 3,000 s and said that it needs one sample; the other has 50 s left. */
    @Test
    void whoSaysTooLittleIsNotTheShortestForEver() {
        Moment now = new Moment(0, ResourceVector.of(8, 8, 8));
        Srtf srtf = new Srtf();
        double liar = srtf.key(job(Progress.said(9000, 1, .5, 3000)), now);
        double honest = srtf.key(job(Progress.said(0, 100, .5, 0)), now);
        assertEquals(50, honest);
        assertTrue(liar > honest, () -> liar + " s");
    }

    private static JobView job(Progress progress) {
        return new JobView(
                "job",
                0,
                List.of(new TaskGroup("worker", 1, 1, ResourceVector.of(1, 1, 1), Set.of())),
                List.of(),
                Optional.empty(),
                false,
                progress,
                Set.of());
    }
}

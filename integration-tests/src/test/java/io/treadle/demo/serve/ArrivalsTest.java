// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
    private static final int COUNT = 20_000;

    private final List<WorkflowMix> mix = WorkflowMix.demo();
    private final List<Arrival> arrivals = Arrivals.poisson(mix, 50, COUNT, 30, 7);

    @Test
    void comeAsOftenAsAsked() {
        assertEquals(0, arrivals.get(0).atMs());
        double seconds = arrivals.get(COUNT - 1).atMs() / 1e3;
        // Five standard deviations of a sum of exponential gaps.
        assertEquals(COUNT / 50.0, seconds, 5 * Math.sqrt(COUNT) / 50);
        double squares = 0;
        for (int i = 1; i < COUNT; i++) {
            double gap = arrivals.get(i).atMs() - arrivals.get(i - 1).atMs();
            squares += gap * gap;
        }
        // The second moment of an exponential gap is twice its mean's square.
        assertEquals(2 * 20 * 20, squares / COUNT, 80);
    }

    @Test
    void workflowsAreAskedByTheirRank() {
        double harmonic = 1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4;
        for (int rank = 1; rank <= mix.size(); rank++) {
            WorkflowMix workflow = mix.get(rank - 1);
            long asked = arrivals.stream()
                    .filter(arrival -> arrival.workflow().equals(workflow))
                    .count();
            assertEquals(1 / (rank * harmonic), asked / (double) COUNT, 0.02, workflow.workflow());
        }
        assertTrue(arrivals.stream().allMatch(arrival -> arrival.image() >= 0 && arrival.image() < 30));
        assertEquals(30, arrivals.stream().map(Arrival::image).distinct().count());
    }

    @Test
    void theSameSeedGivesTheSame() {
        assertEquals(arrivals, Arrivals.poisson(mix, 50, COUNT, 30, 7));
        assertNotEquals(arrivals, Arrivals.poisson(mix, 50, COUNT, 30, 8));
    }
}

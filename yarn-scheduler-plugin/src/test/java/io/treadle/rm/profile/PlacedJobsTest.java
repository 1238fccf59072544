// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlacedJobsTest {
    private static final String JOB = "application_1_0001";

    private final PlacedJobs jobs = new PlacedJobs();

    @Test
    void aJobThatOnlyWaitedHasRunOnNothing() {
        assertTrue(jobs.put(JOB, "A100", JobStage.BOUND));
        assertEquals(Optional.empty(), jobs.ranOn(JOB));
        assertFalse(jobs.put(JOB, "A100", JobStage.STARTS), "it is known already");
        assertEquals(Optional.of("A100"), jobs.ranOn(JOB));
        jobs.remove(JOB);
        assertEquals(Optional.empty(), jobs.ranOn(JOB));
    }

    @Test
    void tasksThatEndOneByOneChangeNothing() {
        jobs.put(JOB, "A100+T4", JobStage.STARTS);
        for (String left : new String[] {"A100+T4", "T4", "A100"}) {
            assertFalse(jobs.put(JOB, left, JobStage.RUNS));
        }
        assertEquals(Optional.of("A100+T4"), jobs.ranOn(JOB));
    }

    @Test
    void speedsOfAJobThatHasRunOnAnotherAreOfNeither() {
        jobs.put(JOB, "A100+T4", JobStage.STARTS);
        assertTrue(jobs.put(JOB, "A100", JobStage.STARTS), "a gang that is started anew");
        assertEquals(Optional.empty(), jobs.ranOn(JOB));
        jobs.put(JOB, "A100+T4", JobStage.STARTS);
        assertEquals(Optional.empty(), jobs.ranOn(JOB));
    }

    @Test
    void whatIsSeenOnAnotherModelHasMoved() {
        jobs.put(JOB, "A100", JobStage.RUNS);
        assertTrue(jobs.put(JOB, "A10", JobStage.RUNS), "a name within another is no part of it");
        assertEquals(Optional.empty(), jobs.ranOn(JOB));
    }
}

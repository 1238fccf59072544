// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.powerflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.model.energy.EnergyProfile;
import io.treadle.simulator.energy.ClusterPower;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Training;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrawnJobsTest {
    private static final int COUNT = 20_000;

    private static List<TraceJob> draw(double noise) {
        return DrawnJobs.draw(1, 300, .009, ClusterPower.A100, noise);
    }

    /** Within four standard errors of what they are drawn from. */
    @Test
    void arrivalsLengthsAndRequestsAreThoseAskedFor() {
        List<TraceJob> jobs = DrawnJobs.draw(1, COUNT, .009, ClusterPower.A100, Rival.TRUTH);
        assertEquals(COUNT / .009, jobs.get(COUNT - 1).submitMs() / 1000.0, 4 * Math.sqrt(COUNT) / .009);
        double logs = jobs.stream()
                .mapToDouble(job -> Math.log(job.work().seconds()))
                .average()
                .orElseThrow();
        assertEquals(Math.log(22 * 60), logs, 4 * 1.2 / Math.sqrt(COUNT));
        for (int i = 0; i < 5; i++) {
            int gpus = 1 << i;
            double share = (5 - i) / 15.0;
            long asked = jobs.stream().filter(job -> job.gpus() == gpus).count();
            assertEquals(COUNT * share, asked, 4 * Math.sqrt(COUNT * share * (1 - share)), gpus + " GPUs");
        }
    }

    @Test
    void theSameSeedDrawsTheSameJobsWithAnyNoise() {
        List<TraceJob> exact = draw(Rival.TRUTH);
        List<TraceJob> noisy = draw(0.1);
        for (int i = 0; i < exact.size(); i++) {
            assertEquals(exact.get(i).submitMs(), noisy.get(i).submitMs());
            assertEquals(exact.get(i).work(), noisy.get(i).work());
            assertEquals(exact.get(i).gpus(), noisy.get(i).gpus());
        }
        assertNotEquals(exact, DrawnJobs.draw(2, 300, .009, ClusterPower.A100, Rival.TRUTH));
    }

    /** Twelve measurements on one GPU and three on several foretell all sizes and caps. */
    @Test
    void measuredProfilesAreNearTheTruth() {
        assertTrue(worst(0) < 0.15, "exact measurements: off by " + worst(0));
        double mean =
                draw(0.1).stream().mapToDouble(DrawnJobsTest::error).average().orElseThrow();
        assertTrue(mean > 0.01 && mean < 0.12, "10 % noise: off by " + mean + " on average");
    }

    private static double worst(double noise) {
        return draw(noise).stream().mapToDouble(DrawnJobsTest::error).max().orElseThrow();
    }

    /** Mean relative error of what a job's policy is told of its energy. */
    private static double error(TraceJob job) {
        EnergyProfile truth = job.energy().orElseThrow();
        EnergyProfile told = job.training().flatMap(Training::believed).orElseThrow();
        double sum = 0;
        for (int size = 0; size < truth.sizes(); size++) {
            for (int cap = 0; cap < truth.caps(); cap++) {
                sum += Math.abs(told.joules(size, cap) / truth.joules(size, cap) - 1);
            }
        }
        return sum / truth.sizes() / truth.caps();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JobMixTest {
    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everySeedKeepsWhatTheDemoShows(long seed) {
        List<DemoJob> jobs = JobMix.of(seed);

        assertTrue(jobs.size() >= 6);
        assertEquals(Set.of(1, 2, 4), jobs.stream().map(DemoJob::gpus).collect(Collectors.toSet()));
        assertTrue(jobs.stream().mapToInt(DemoJob::gpus).sum() >= DemoNodes.gpus(DemoNodes.ALL), "some must wait");
        assertTrue(jobs.stream().anyMatch(job -> job.workers() > 1), "a gang over several containers");
        assertTrue(jobs.stream().anyMatch(job -> job.arrivalSeconds() > 10), "some arrive while others run");
        assertTrue(jobs.stream().anyMatch(job -> gain(job) >= 1.8), "a sensitive job");
        assertTrue(jobs.stream().anyMatch(job -> gain(job) <= 1.05), "an insensitive job");
        for (int i = 1; i < jobs.size(); i++) {
            assertTrue(jobs.get(i - 1).arrivalSeconds() <= jobs.get(i).arrivalSeconds(), "in order of arrival");
        }
        for (DemoJob job : jobs) {
            double seconds = job.samples() / (job.workers() * job.work().samplesPerSecond(share(job)));
            assertTrue(seconds >= 20 && seconds <= 120, job + " takes " + seconds + " s at its share");
        }
    }

    @Test
    void oneSeedOneMix() {
        assertEquals(JobMix.of(7), JobMix.of(7));
    }

    private static double gain(DemoJob job) {
        Work work = job.work();
        return work.samplesPerSecond(3 * share(job)) / work.samplesPerSecond(share(job));
    }

    private static double share(DemoJob job) {
        return JobMix.SHARE_PER_GPU * job.gpusPerWorker();
    }
}

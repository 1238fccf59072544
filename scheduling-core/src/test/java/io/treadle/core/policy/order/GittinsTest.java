// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.resource.ResourceVector;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The Gittins index against its definition, and where mathematics knows its shape. */
class GittinsTest {
    /** Jobs whose service is a limit of classes: then nothing is lost by looking at classes. */
    @Test
    void indexIsThatOfTheDefinition() {
        for (long seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            double[] jobs = IntStream.range(0, 1 + random.nextInt(6))
                    .mapToDouble(i -> 1L << random.nextInt(12))
                    .toArray();
            ServiceTimes times = ServiceTimes.of(Arrays.stream(jobs));
            for (double attained : new double[] {0, 1, 2, 8, 64, 1024, 2048, 4096, 1e6}) {
                String context = "seed " + seed + ", " + Arrays.toString(jobs) + " at " + attained;
                double expected = byDefinition(jobs, attained);
                assertEquals(expected, times.gittinsIndex(attained), 1e-12 + 1e-9 * expected, context);
            }
        }
    }

    /** The supremum is reached at a quantum in which one of the jobs just ends. */
    private static double byDefinition(double[] jobs, double attained) {
        double best = 0;
        for (double end : jobs) {
            double quantum = end - attained;
            if (quantum > 0) {
                double ending = 0;
                double service = 0;
                for (double job : jobs) {
                    if (job > attained) {
                        ending += job - attained <= quantum ? 1 : 0;
                        service += Math.min(job - attained, quantum);
                    }
                }
                best = Math.max(best, ending / service);
            }
        }
        return best;
    }

    /** Between limits of classes a job counts as at the one below: 2^(27/4) = 107.6 and 2^(28/4) = 128. */
    @Test
    void serviceCountsInClasses() {
        ServiceTimes times = ServiceTimes.of(DoubleStream.of(1000, 100_000));
        assertEquals(times.gittinsIndex(108), times.gittinsIndex(127.9));
        assertTrue(times.gittinsIndex(127.9) < times.gittinsIndex(128));
    }

    /** Exponential service has no memory: the index is one over the mean, whatever was attained. */
    @Test
    void exponentialServiceHasTheSameIndexAtAnyAge() {
        ServiceTimes times = ServiceTimes.of(exponential(10_000, 1));
        for (double attained : new double[] {0, 100, 1000, 5000, 10_000, 20_000, 30_000}) {
            assertEquals(1e-4, times.gittinsIndex(attained), 2e-6, "at " + attained);
        }
    }

    /** Of a mixture of short and long jobs, one that goes on is ever likelier to be long: first the least attained. */
    @Test
    void hyperexponentialServiceHasAFallingIndex() {
        ServiceTimes times = ServiceTimes.of(DoubleStream.concat(exponential(100, 2), exponential(10_000, 1)));
        double before = Double.MAX_VALUE;
        for (double attained : new double[] {0, 32, 64, 128, 256, 512, 1024}) {
            double index = times.gittinsIndex(attained);
            assertTrue(index < before, "at " + attained + ": " + index + " after " + before);
            before = index;
        }
        // Only the long ones are left.
        assertEquals(1e-4, times.gittinsIndex(4096), 1e-5);
    }

    /** Where all jobs take as long, the index is one over what is left: who was first stays first. */
    @Test
    void deterministicServiceHasARisingIndex() {
        ServiceTimes times = ServiceTimes.of(DoubleStream.of(1024, 1024, 1024));
        for (double attained : new double[] {0, 1, 256, 512, 1000}) {
            double limit = attained == 1000 ? Math.pow(2, 39 / 4.0) : attained;
            assertEquals(1 / (1024 - limit), times.gittinsIndex(attained), 1e-3 / (1024 - limit), "at " + attained);
        }
        assertEquals(0, times.gittinsIndex(1024));
    }

    @Test
    void withoutKnownJobsTheLeastAttainedIsFirst() {
        Moment moment = new Moment(0, ResourceVector.ZERO);
        for (Order order : List.of(new Gittins(), new Gittins().expecting(() -> ServiceTimes.NONE))) {
            for (double attained : new double[] {0, 7.5, 4e9}) {
                assertEquals(new Las().key(job(attained), moment), order.key(job(attained), moment));
            }
        }
    }

    private static JobView job(double attained) {
        return new JobView(
                "j", 0, List.of(), List.of(), Optional.empty(), false, new Progress(0, 0, 0, attained), Set.of());
    }

    /** Values at equal shares of the distribution, so that nothing is left to chance. */
    private static DoubleStream exponential(double mean, int times) {
        int count = times * 50_000;
        return IntStream.range(0, count).mapToDouble(i -> -mean * Math.log(1 - (i + 0.5) / count));
    }
}

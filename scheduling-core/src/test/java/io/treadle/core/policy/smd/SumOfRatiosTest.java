// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.job.JobView;
import io.treadle.core.job.Utility;
import io.treadle.core.model.ps.KnownPsModels;
import io.treadle.core.model.ps.LayeredPsModel;
import io.treadle.core.model.ps.LayeredPsModel.Overlap;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SumOfRatiosTest {
    private static final double EPSILON = 0.05;

    @Test
    void oneLayer() {
        ResourceVector one = ResourceVector.of(0, 1, 0);
        JobView job = PsJobs.job("t1", KnownPsModels.oneLayer(), 100, one, one, one.times(8), 8, Utility.UNKNOWN);
        assertBest(job, 5, 3, 105.33333333333333);
        assertEquals(105.0003451138482, continuousSeconds(job), 1e-3);
    }

    @Test
    void threeLayers() {
        assertBest(threeLayers(Overlap.WAIT_FREE), 8, 8, 262.5);
        assertBest(threeLayers(Overlap.NONE), 8, 8, 312.5);
    }

    private static JobView threeLayers(Overlap overlap) {
        LayeredPsModel model = KnownPsModels.threeLayers(overlap);
        ResourceVector worker = ResourceVector.of(1, 4, 0);
        ResourceVector server = ResourceVector.of(0, 2, 0);
        return PsJobs.job("t2", model, 1000, worker, server, ResourceVector.of(8, 64, 0), 8, Utility.UNKNOWN);
    }

    @Test
    void knownModels() {
        assertBest(PsJobs.vggLike(), 8, 9, 10901.5);
        assertBest(PsJobs.resLike(), 8, 6, 9712.666666666668);
        assertBest(PsJobs.lmLike(), 12, 13, 7132.186666666667);
        assertBest(PsJobs.asyncLike(), 8, 8, 3189);
        assertEquals(10896.415588854867, continuousSeconds(PsJobs.vggLike()), 1);
        assertEquals(9698.085573874288, continuousSeconds(PsJobs.resLike()), 1);
    }

    private static void assertBest(JobView view, int workers, int servers, double seconds) {
        PsJob job = PsJob.of(view, 0);
        Optional<PsSize> expected = Optional.of(new PsSize(workers, servers));
        assertEquals(expected, new SumOfRatios(EPSILON).size(job, job.cap()));
        assertEquals(expected, new Enumeration().size(job, job.cap()));
        assertEquals(seconds, job.secondsLeft(expected.get()), 1e-9 * seconds);
    }

    private static double continuousSeconds(JobView view) {
        PsJob job = PsJob.of(view, 0);
        return view.progress().samplesTotal()
                / new SumOfRatios(EPSILON).continuousRate(job, job.cap()).orElseThrow();
    }

    /** Synchronous and not, with wide caps, caps that let one or two of each in, and dear workers: against every size. */
    @Test
    void theBestOfAllSizes() {
        for (double epsilon : new double[] {.02, .05, .2, .5}) {
            Random random = new Random(31);
            SumOfRatios sizer = new SumOfRatios(epsilon);
            for (int i = 0; i < 1000; i++) {
                PsJob job = PsJob.of(PsJobs.random("j" + i, random), 0);
                PsSize best = new Enumeration().size(job, job.cap()).orElseThrow();
                PsSize found = sizer.size(job, job.cap()).orElseThrow();
                assertEquals(job.secondsLeft(best), job.secondsLeft(found), 1e-9 * job.secondsLeft(best), "job " + i);
                // What the grid finds before it is rounded is within its promise.
                double continuous = sizer.continuousRate(job, job.cap()).orElse(0);
                double whole = job.rate(best.workers(), best.servers());
                boolean isGridded = best.workers() >= 1 + epsilon;
                assertTrue(!isGridded || continuous * (1 + epsilon) >= whole * (1 - 1e-9), "job " + i);
            }
        }
    }

    @Test
    void jobThatMayHaveAMillionServersCostsNoMoreThanOneOfAThousand() {
        List<Integer> looked = Counts.between(3, 1_000_000);
        assertTrue(looked.size() < 1_500, () -> looked.size() + " numbers of servers");
        assertEquals(IntStream.rangeClosed(3, 515).boxed().toList(), looked.subList(0, 513));
        assertEquals(1_000_000, looked.get(looked.size() - 1));
        for (int i = 1; i < looked.size(); i++) {
            int step = looked.get(i) - looked.get(i - 1);
            assertTrue(step == 1 || step <= looked.get(i) / 50, "no gap above a fiftieth at " + looked.get(i));
        }
        assertEquals(List.of(7), Counts.between(7, 7));

        ResourceVector one = ResourceVector.of(0, 1, 0);
        PsJob job = PsJob.of(
                PsJobs.job(
                        "huge",
                        KnownPsModels.threeLayers(Overlap.WAIT_FREE),
                        1e9,
                        one,
                        one,
                        one.times(2_000_000),
                        1_000_000,
                        Utility.UNKNOWN),
                0);
        SumOfRatios sizer = new SumOfRatios(EPSILON);
        PsSize found = sizer.size(job, job.cap()).orElseThrow();
        double continuous = sizer.continuousRate(job, job.cap()).orElseThrow();
        assertTrue(job.rate(found.workers(), found.servers()) >= continuous * (1 - 1e-6), found::toString);
        Worth worth = new Worth(job, found);
        PsSize trimmed = Trim.of(worth, PsPools.pool(one.times(2_000_000), 0, List.of(job.job())), .05);
        assertTrue(worth.at(trimmed) >= .95 * worth.at(found), trimmed::toString);
        assertTrue(job.use(trimmed).fitsIn(job.use(found)), trimmed::toString);
    }

    @Test
    void whatDoesNotEvenHoldItsLeastHasNoSize() {
        PsJob job = PsJob.of(PsJobs.vggLike(), 0);
        assertEquals(Optional.empty(), new SumOfRatios(EPSILON).size(job, ResourceVector.of(1, 5, 1000)));
        assertEquals(Optional.of(new PsSize(1, 1)), new SumOfRatios(EPSILON).size(job, ResourceVector.of(1, 6, 24)));
    }
}

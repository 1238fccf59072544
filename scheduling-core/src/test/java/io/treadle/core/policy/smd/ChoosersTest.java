// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.job.JobView;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.plan.Certificate;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Four jobs in pools of three sizes, of which a reference implementation of ours has told the answers. */
class ChoosersTest {
    /** All that there is is given out, and it makes no difference who runs. */
    private static final SmdRules PLAIN = new SmdRules(.05, .05, 1, 1_000_000_000, 1, 0, 1e9, false, 30_000);

    private static final ResourceVector SMALL = ResourceVector.of(16, 96, 400);
    private static final ResourceVector MIDDLE = ResourceVector.of(24, 160, 700);
    private static final ResourceVector LARGE = ResourceVector.of(40, 400, 2000);

    private static Pool pool(ResourceVector capacity, List<JobView> jobs) {
        return new Pool(
                jobs.stream().map(job -> PsJob.of(job, 0)).toList(),
                Set.of(),
                List.of(capacity),
                List.of(capacity),
                "root.ps",
                capacity,
                0);
    }

    private static Pool four(ResourceVector capacity) {
        return pool(capacity, List.of(PsJobs.vggLike(), PsJobs.resLike(), PsJobs.lmLike(), PsJobs.asyncLike()));
    }

    private static Map<String, PsSize> sizes(Admission admission) {
        return admission.jobs().stream()
                .collect(Collectors.toMap(one -> one.job().id(), Sized::size));
    }

    private static double worth(Admission admission) {
        return admission.jobs().stream()
                .mapToDouble(one -> one.job().job().sizing().utility().at(one.secondsLeft()))
                .sum();
    }

    private static PsSize size(int workers, int servers) {
        return new PsSize(workers, servers);
    }

    @Test
    void plain() {
        SmdChooser plain = SmdChooser.plain(PLAIN);
        Admission small = plain.choose(four(SMALL));
        assertEquals(Map.of("resLike", size(8, 6), "asyncLike", size(8, 8)), sizes(small));
        assertEquals(82.0457806097806, worth(small), 1e-6);
        assertBound(82.0457806097806, small);
        Admission middle = plain.choose(four(MIDDLE));
        assertEquals(Map.of("vggLike", size(8, 9), "resLike", size(8, 6), "asyncLike", size(8, 8)), sizes(middle));
        assertEquals(95.21749553365625, worth(middle), 1e-6);
        assertBound(97.42966673424198, middle);
        Admission large = plain.choose(four(LARGE));
        assertEquals(118.29332472034831, worth(large), 1e-6);
        assertBound(118.29332472034831, large);
    }

    /** What ranks late jobs, a millionth of the weights, is part of it. */
    private static void assertBound(double expected, Admission admission) {
        assertEquals(expected, admission.certificate().orElseThrow().bound(), 2e-4);
    }

    @Test
    void exact() {
        for (ResourceVector capacity : List.of(SMALL, MIDDLE, LARGE)) {
            Admission exact = SmdChooser.exact(PLAIN).choose(four(capacity));
            assertEquals(worth(SmdChooser.plain(PLAIN).choose(four(capacity))), worth(exact), 1e-9);
            assertEquals(0, exact.certificate().orElseThrow().gap(), 1e-12);
        }
    }

    /** The reference's menu has no trimmed size: ours is worth as much or more. */
    @Test
    void menu() {
        assertMenu(100.38777088805905, 103.68630355332851, SMALL);
        assertMenu(113.55394331446435, 114.48903424570021, MIDDLE);
        assertMenu(118.29332472034831, 118.29332472034831, LARGE);
    }

    private static void assertMenu(double value, double bound, ResourceVector capacity) {
        Admission menu = new MenuChooser(PLAIN, Profit.WORTH).choose(four(capacity));
        Certificate certificate = menu.certificate().orElseThrow();
        assertTrue(worth(menu) >= value - 1e-6, worth(menu) + " of " + value);
        assertTrue(certificate.bound() <= 1.03 * bound, certificate.bound() + " of " + bound);
        assertTrue(worth(menu) <= certificate.bound());
    }

    @Test
    void optimus() {
        Admission small = new Optimus().choose(four(SMALL));
        assertEquals(
                Map.of(
                        "vggLike", size(3, 4),
                        "resLike", size(5, 3),
                        "lmLike", size(5, 6),
                        "asyncLike", size(3, 3)),
                sizes(small));
        assertEquals(43.2519668356523, worth(small), 1e-6);
        assertEquals(113.31248886159715, worth(new Optimus().choose(four(MIDDLE))), 1e-6);
        assertEquals(118.29332472034831, worth(new Optimus().choose(four(LARGE))), 1e-6);
    }

    @Test
    void equalServersAndWorkers() {
        Admission small = new Esw().choose(four(SMALL));
        assertEquals(Map.of("vggLike", size(8, 8), "resLike", size(8, 8)), sizes(small));
        assertEquals(76.3453853400949, worth(small), 1e-6);
        assertEquals(99.10220479196366, worth(new Esw().choose(four(MIDDLE))), 1e-6);
        assertEquals(115.84954372642206, worth(new Esw().choose(four(LARGE))), 1e-6);
    }

    /** No job loses more than the part that it may, or takes more of anything than at its fastest. */
    @Test
    void trimmedJobsLoseLittle() {
        Random random = new Random(41);
        Pool pool = pool(
                ResourceVector.of(96, 480, 1_600_000),
                IntStream.range(0, 300)
                        .mapToObj(i -> PsJobs.random("j" + i, random))
                        .toList());
        for (PsJob job : pool.jobs()) {
            PsSize best = new Enumeration().size(job, job.cap()).orElseThrow();
            Worth worth = new Worth(job, best);
            PsSize trimmed = Trim.of(worth, pool, .05);
            assertTrue(worth.at(trimmed) >= .95 * worth.at(best));
            assertTrue(job.use(trimmed).fitsIn(job.use(best)));
            assertTrue(pool.share(job.use(trimmed)) <= pool.share(job.use(best)));
        }
    }

    /** What is chosen fits, and is worth no more than its bound. */
    @Test
    void certificatesHold() {
        Random random = new Random(42);
        ResourceVector capacity = ResourceVector.of(48, 240, 800_000);
        for (int i = 0; i < 20; i++) {
            Pool pool = pool(
                    capacity,
                    IntStream.range(0, 5 + 4 * i)
                            .mapToObj(j -> PsJobs.random("j" + j, random))
                            .toList());
            for (Chooser chooser :
                    List.of(SmdChooser.trimmed(PLAIN), SmdChooser.plain(PLAIN), new MenuChooser(PLAIN, Profit.WORTH))) {
                Admission admission = chooser.choose(pool);
                ResourceVector used =
                        admission.jobs().stream().map(Sized::use).reduce(ResourceVector.ZERO, ResourceVector::plus);
                assertTrue(used.fitsIn(capacity), used.describe());
                Certificate certificate = admission.certificate().orElseThrow();
                assertTrue(certificate.value() <= certificate.bound() * (1 + 1e-9));
                assertTrue(certificate.gap() < .3, chooser + " is off by " + certificate.gap());
            }
        }
    }
}

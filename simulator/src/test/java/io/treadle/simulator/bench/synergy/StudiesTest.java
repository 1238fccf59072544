// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.result.Summary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What is made of figures that are known. */
class StudiesTest {
    private static final JobList LIST = new JobList(9, List.of(20, 70, 10), JobList.SINGLE, 42);

    private static Work work(Known... known) {
        return new Work("fifo", LIST, List.of(Rules.THEIRS, Rules.OURS), List.of(known));
    }

    private static Summary summary(double hours) {
        return new Summary(
                "fifo",
                1000,
                3600 * hours,
                null,
                null,
                7200 * hours,
                null,
                null,
                .5,
                0,
                null,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                null);
    }

    private static Figures figures(Setting setting, double... hours) {
        Map<Figures.Run, Summary> all = new HashMap<>();
        add(all, setting, Allocations.ALL, hours);
        return new Figures(all);
    }

    private static void add(Map<Figures.Run, Summary> all, Setting setting, List<String> names, double... hours) {
        for (int i = 0; i < names.size(); i++) {
            all.put(new Figures.Run(setting, names.get(i)), summary(hours[i]));
        }
    }

    @Test
    void knownFiguresAgreeToTheirLastDigit() {
        Known known = new Known(Rules.THEIRS, Allocations.TUNE, "21.88");
        assertTrue(known.agrees(21.876600555555555));
        assertFalse(known.agrees(21.8866));
        assertFalse(known.agrees(21.87));
        assertTrue(new Known(Rules.THEIRS, Allocations.TUNE, "90.2").agrees(90.169));
    }

    @Test
    void deviationIsToldWithBothFigures() {
        Work work = work(
                new Known(Rules.THEIRS, Allocations.PROPORTIONAL, "81.09"),
                new Known(Rules.THEIRS, Allocations.TUNE, "21.88"));
        Checks checks = new Checks(List.of(work), figures(work.setting(Rules.THEIRS), 81.089, 25, 22, 18, 17));
        assertEquals(
                "1 of 2 means that the artifact is known to give come out equal to the last digit given.",
                checks.words());
        assertEquals(
                List.of(
                        "fifo 9/h (20,70,10), Synergy's rounds, first fit, synergy-tune: mean JCT is 22.0000 h, must be the"
                                + " artifact's 21.88 h"),
                checks.wrong());
    }

    /** Proportional 80 h, greedy 25 h, tune 20 h, balanced 16 h, opt 15 h: 20 / 16 = 1.25 and 80 / 16 = 5. */
    @Test
    void meansAreSetBesideOurs() {
        Work work = new Work("fifo", LIST, List.of(Rules.OURS), List.of());
        List<Section> sections =
                new MeanStudy(List.of(work), true).sections(figures(work.setting(Rules.OURS), 80, 25, 20, 16, 15));
        assertEquals(
                List.of(
                        "fifo 9/h (20,70,10)",
                        "ours",
                        "80.00",
                        "25.00",
                        "20.00",
                        "16.00",
                        "15.00",
                        "–",
                        "1.250",
                        "5.000",
                        "–"),
                sections.get(0).rows().get(1));
        assertEquals(
                List.of("fifo 9/h (20,70,10)", "ours", "160.00", "50.00", "40.00", "32.00", "30.00"),
                sections.get(1).rows().get(1));
    }

    /** What was not simulated has no figure; the bound stands beside Synergy's rounds alone. */
    @Test
    void theBoundStandsInSynergysRounds() {
        Work work = work();
        Map<Figures.Run, Summary> all = new HashMap<>();
        add(all, work.setting(Rules.THEIRS), Allocations.MAIN, 80, 20, 16);
        add(all, work.setting(Rules.OURS), Allocations.MAIN, 80, 20, 15);
        add(all, work.setting(Rules.BOUND), List.of(Allocations.OPT), 14);
        List<List<String>> rows = new MeanStudy(List.of(work), false)
                .sections(new Figures(all))
                .get(0)
                .rows();
        assertEquals(
                List.of("80.00", "–", "20.00", "16.00", "–", "14.00"),
                rows.get(1).subList(2, 8));
        assertEquals(
                List.of("80.00", "–", "20.00", "15.00", "–", "–"), rows.get(2).subList(2, 8));
    }

    /** At most 18.5 h: reached with 18.504, which is told as 18.50, and missed with 18.51. */
    @Test
    void whatIsMissedIsSaid() {
        Work work = work();
        Map<Figures.Run, Summary> all = new HashMap<>();
        add(all, work.setting(Rules.THEIRS), Allocations.MAIN, 80, 20, 18.504);
        add(all, work.setting(Rules.OURS), Allocations.MAIN, 80, 20, 18.51);
        add(all, work.setting(Rules.BOUND), List.of(Allocations.OPT), 14);
        GoalStudy study = new GoalStudy(List.of(work));
        assertEquals(
                List.of("fifo 9/h (20,70,10)", "20.00", "14.00", "18.50", "18.50", "18.51 (missed)"),
                study.sections(new Figures(all)).get(0).rows().get(1));
        assertEquals(18.5 / 18.51, study.compared(new Figures(all)).get(0).ratio(), 1e-9);
    }

    /** 16 h with all, 20 h without one part: a quarter longer. */
    @Test
    void aPartIsWorthWhatIsLostWithoutIt() {
        Work work = work();
        AblationStudy study = new AblationStudy(List.of(work));
        Map<Figures.Run, Summary> all = new HashMap<>();
        study.wanted()
                .forEach((setting, names) -> names.forEach(
                        name -> add(all, setting, List.of(name), name.equals(Allocations.BALANCED) ? 16 : 20)));
        List<List<String>> rows = study.sections(new Figures(all)).get(0).rows();
        assertEquals(List.of("all of ours", "16.00", ""), rows.get(1));
        assertEquals(List.of("20.00", "+25.0 %"), rows.get(2).subList(1, 3));
    }

    /**
     * Ours 10, 12 and 14 h, theirs 11, 14 and 17 h. Differences -1, -2 and -3: mean -2, standard error
     * √(((1+0+1)/2)/3) = 0.57735, times Student's 4.302653 for two degrees of freedom: 2.484.
     */
    @Test
    void seedsArePaired() {
        Work work = work();
        Map<Figures.Run, Summary> all = new HashMap<>();
        for (int i = 0; i < 3; i++) {
            Setting setting = work.setting(Rules.OURS).on(LIST.withSeed(42 + i));
            add(all, setting, Allocations.MAIN, 80, 11 + 3 * i, 10 + 2 * i);
        }
        List<String> row = new SeedStudy(List.of(work), 3)
                .sections(new Figures(all))
                .get(0)
                .rows()
                .get(1);
        assertEquals(List.of("fifo 9/h (20,70,10)", "80.00 ± 0.00"), row.subList(0, 2));
        assertEquals("-2.00 ± 2.48", row.get(4));
        // 2 h apart: √((4+0+4)/2/3) × 4.302653 = 4.97.
        assertEquals("12.00 ± 4.97", row.get(3));
    }

    @Test
    void roundsAreToldByRank() {
        RoundCost cost = RoundCost.of(
                LongStream.rangeClosed(1, 200).map(i -> i * 1_000_000).toArray());
        assertEquals(new RoundCost(100, 198, 200), cost);
        assertEquals(new RoundCost(2, 3, 3), RoundCost.of(new long[] {3_000_000, 1_000_000, 2_000_000}));
    }

    /** 150 jobs of a GPU on 128: 128 start, of which the 1st and the 101st have ended; 22 wait. */
    @Test
    void steadyRoundHasWhatStarted() {
        Partition all = ClusterReader.read("synergy-128").partitions().get(0);
        List<JobView> jobs = new ArrayList<>();
        TaskGroup group = new TaskGroup("worker", 1, 1, ResourceVector.of(1, 0, 0), Set.of());
        for (int i = 0; i < 150; i++) {
            jobs.add(new JobView(
                    "job-" + i,
                    i,
                    List.of(group),
                    List.of(),
                    java.util.Optional.empty(),
                    false,
                    Progress.NONE,
                    Set.of()));
        }
        Snapshot anew =
                new Snapshot(0, all.nodes(), new QueueView("all", all.capacity(), ResourceVector.ZERO), jobs, true);
        PolicyRegistry known = PolicyRegistry.BUILT_IN;
        Policy policy = known.policy("fifo+proportional", known.placement(PolicyRegistry.DEFAULT_PLACEMENT));
        List<JobView> then = RoundProbe.steady(anew, policy.plan(anew)).jobs();
        assertEquals(126, then.stream().filter(JobView::running).count());
        assertEquals(22, then.stream().filter(job -> !job.running()).count());
        assertTrue(then.stream().noneMatch(job -> Set.of("job-0", "job-100").contains(job.id())));
    }

    /** The artifact's own order of work, and no setting twice. */
    @Test
    void worksAreOfDifferentNames() {
        List<Work> works = Works.all(42);
        assertEquals(works.size(), works.stream().map(Work::words).distinct().count());
        assertEquals("fifo 9/h (20,70,10)", works.get(0).words());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.smd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.simulator.generate.ServerJobs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SmdBenchTest {
    private static String run(Path out, int threads) {
        List<Integer> done = new ArrayList<>();
        SmdBench bench = new SmdBench(out, 3, 2, SmdSizes.QUICK);
        String text = bench.run(threads, line -> {}, done::add);
        assertEquals(bench.runs(), done.get(done.size() - 1));
        return text;
    }

    @Test
    void everyModeHasARowAndTheSameSeedGivesTheSameFigures(@TempDir Path directory) throws Exception {
        String text = run(directory.resolve("one"), 1);
        run(directory.resolve("two"), 2);
        for (String file : List.of("summary.json", "runs.csv")) {
            assertArrayEquals(
                    Files.readAllBytes(directory.resolve("one").resolve(file)),
                    Files.readAllBytes(directory.resolve("two").resolve(file)),
                    file);
        }
        JsonNode summary = new ObjectMapper()
                .readTree(directory.resolve("one").resolve("summary.json").toFile());
        List<String> names = new ArrayList<>();
        summary.forEach(row -> names.add(row.get("name").asText()));
        assertEquals(
                List.of(
                        "smd",
                        "smd-plain",
                        "smd-menu",
                        "smd at 10 an hour",
                        "smd at 10 an hour, completion time",
                        "smd-plain at 10 an hour",
                        "smd-plain at 10 an hour, completion time",
                        "smd-menu at 10 an hour",
                        "smd-menu at 10 an hour, completion time"),
                names);
        for (String policy : Online.POLICIES) {
            assertTrue(text.contains(policy), policy);
        }
        String page = Files.readString(directory.resolve("one").resolve("bench.html"));
        assertTrue(page.contains("smd-menu") && page.contains("<svg"), "bench.html has no plots");
    }

    /** The rounds that are timed do what they are timed for: jobs run, and the choice is not cut short. */
    @Test
    void roundsAreOfJobsThatWaitAndOfJobsThatRun() {
        Snapshot waiting = Pools.waiting(6, Pools.NODE, 0, ServerJobs.atOnce(5, 48));
        Plan plan = Pools.exactly("smd").plan(waiting);
        Snapshot then = Pools.carriedOut(waiting, plan, 600_000);
        assertEquals(600_000, then.nowMs());
        assertEquals(
                plan.decisions().stream()
                        .filter(decision -> decision instanceof Decision.Run)
                        .count(),
                then.jobs().stream().filter(JobView::running).count());
        assertTrue(then.jobs().stream().anyMatch(JobView::running));
        assertTrue(RoundCost.measure("smd", 5, 48).finished());
        assertTrue(RoundCost.measure("smd-menu", 5, 48).finished());
    }

    /** The goals of the issue that do not hang on a machine, on seeds that nothing was tuned with. */
    @Test
    void sizesAndKnapsacksAreAsNearTheBestAsIsClaimed() {
        Sizes sizes = Sizes.of(77, 200);
        assertEquals(sizes.jobs(), sizes.optimal());
        Knapsacks knapsacks = Knapsacks.of(77, 100);
        assertEquals(0, knapsacks.aboveBound());
        assertTrue(knapsacks.ours().mean() >= 0.99, knapsacks.toString());
        assertTrue(knapsacks.ours().worst() >= 0.95, knapsacks.toString());
        Overload overload = Overload.of(40, List.of(77L, 78L, 79L));
        assertTrue(overload.of("smd-menu") >= 0.98, overload.toString());
        // In what all ends are worth, which is what others compare.
        assertTrue(overload.of("smd-menu-worth") >= 0.98, overload.toString());
    }

    /** Also on seeds that nothing was tuned with; jobs of one seed differ much, so that a few are looked at together. */
    @Test
    void jobsAreWorthMoreThanUnderOptimus() {
        List<Online> loads = Online.run(
                new SmdSizes(80, List.of(10.0), List.of(), 0, 0, List.of()),
                List.of(101L, 102L, 103L, 104L),
                2,
                () -> {});
        Online load = loads.get(0);
        double smd = Math.exp(load.logRatio("smd", OnlineRun::worth).mean());
        double plain = Math.exp(load.logRatio("smd-plain", OnlineRun::worth).mean());
        double time = Math.exp(load.logRatio("smd", OnlineRun::jctSeconds).mean());
        assertTrue(smd > 1.7, "smd is worth " + smd);
        assertTrue(plain > 1.25, "smd-plain is worth " + plain);
        assertTrue(time < 1.4, "smd takes " + time);
    }
}

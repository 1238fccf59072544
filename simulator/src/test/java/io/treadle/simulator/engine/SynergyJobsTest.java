// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.treadle.core.model.SensitivityMatrix;
import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.generate.SynergyGeneration;
import io.treadle.simulator.trace.Experiment;
import io.treadle.simulator.trace.TraceJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs of several GPUs as Synergy's artifact has them. */
class SynergyJobsTest {
    private final SimCluster cluster = ClusterReader.read("synergy-128");
    private final Path directory;

    SynergyJobsTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private TraceJob job(String model, int gpus) throws IOException {
        Path file = directory.resolve("one.csv");
        Files.writeString(file, "0," + model + ",0,1000," + gpus + "\n");
        return Runs.workload(file, "synergy-128", Experiment.DEFAULT).jobs().get(0);
    }

    /**
     * A server has 24 CPUs and 500 GB for 8 GPUs. Alexnet wants 12 CPUs per GPU and is 2.94 times as fast with them as
     * with 3: four GPUs get 24 of 48 CPUs, and 1 + 1.94 / (48 - 12) · (24 - 12) = 1.6467. Res18 wants 9 for 2.4:
     * 1 + 1.4 / (36 - 12) · 12 = 1.7. M5 wants 6 CPUs, which there are, and 750 GB, of which it gets 500: 2.5 all the same.
     * Eight GPUs have their share and no more, and so have sixteen.
     */
    @ParameterizedTest
    @CsvSource({
        "alexnet, 4, 6, 125, 1.6467",
        "res18, 4, 6, 62.5, 1.7",
        "m5, 4, 6, 125, 2.5",
        "shufflenet, 4, 6, 125, 1.63",
        "alexnet, 8, 3, 62.5, 1",
        "mobilenet, 8, 3, 62.5, 1",
        "alexnet, 16, 3, 62.5, 1",
        "res18, 16, 3, 62.5, 1"
    })
    void clippedToAServerTheSpeedIsOnAStraightLine(String model, int gpus, long vcores, double memoryGb, double speed)
            throws IOException {
        SensitivityMatrix matrix =
                SynergyJobs.of(job(model, gpus), cluster).profile().orElseThrow();
        assertEquals(vcores, matrix.demand(0).vcores());
        assertEquals(Math.round(memoryGb * 1024), matrix.demand(0).memoryMiB());
        assertEquals(speed, matrix.best() / matrix.at(3, 64_000), 5e-5);
    }

    @ParameterizedTest
    @CsvSource({"alexnet, 1", "alexnet, 2", "m5, 2", "gnmt, 8", "gnmt, 16", "mobilenet, 4", "deepspeech, 16"})
    void othersAreAsTheyAre(String model, int gpus) throws IOException {
        TraceJob job = job(model, gpus);
        assertSame(job, SynergyJobs.of(job, cluster));
    }

    /** Means over jobs 4000 to 4999 that the artifact is known to give (specs/synergy.md §9), for lists of seed 42. */
    @ParameterizedTest
    @CsvSource({
        "philly, 3, fifo+synergy-greedy, first-fit, 18.38",
        "philly, 3, fifo+synergy-tune, first-fit, 18.00",
        "philly, 3, srtf+synergy-tune, first-fit, 16.44",
        "philly, 3, las+synergy-tune, first-fit, 16.37",
        "synthetic, 4, las+synergy-tune, first-fit, 14.21",
        "synthetic, 4, srtf+synergy-greedy, first-fit, 14.06",
        "single, 8, las+proportional, first-fit, 40.67"
    })
    void listsOfTheArtifact(String gpus, double jobsPerHour, String policy, String placement, double hours) {
        Path list = directory.resolve("list.csv.gz");
        SynergyGeneration.draw(new SynergyGeneration.Request(24_000, 42, jobsPerHour, List.of(20, 70, 10), gpus))
                .write(list, written -> {});
        SimulationOptions options =
                new SimulationOptions(Compat.SYNERGY, placement, false, new MeasuredJobs(4000, 5000), 300_000, -1);
        Outcome outcome = new Simulation(Runs.workload(list, "synergy-128", Experiment.DEFAULT), options)
                .run(policy, ended -> {});
        assertEquals(hours, Runs.meanSeconds(outcome.measured()) / 3600, .005);
    }

    /**
     * Alone on the cluster alexnet does floor(300 / (0.6 / 2.94)) = 1470 iterations a round: job 0 ends after one, job
     * 1 after two. Then nobody is there until the round at or after 9001 s, from which job 2 takes two.
     */
    @Test
    void jobsEndWithTheirRoundThoughNobodyFollows() throws IOException {
        Path file = Files.writeString(
                directory.resolve("gap.csv"), "0,alexnet,0,1470,1\n1,alexnet,0,1471,1\n2,alexnet,9001,2940,1\n");
        List<JobRun> jobs =
                Runs.run(file, "synergy-128", Runs.options(Compat.SYNERGY, "first-fit"), "fifo+synergy-tune");
        assertEquals(
                List.of(300_000L, 600_000L, 9_900_000L),
                jobs.stream().map(JobRun::endMs).toList());
    }

    /** Whoever waits for a thousand hours goes first from the next round on, but under fifo; who runs starts over. */
    @Test
    void starvesAfterAThousandHours() throws IOException {
        long thousandHoursMs = 3_600_000_000L;
        JobRun early = run(0);
        JobRun late = run(1);
        Starvation starvation = new Starvation(Compat.SYNERGY.starvedAfterMs("las+synergy-tune"));
        starvation.waits(early, 0);
        starvation.waits(late, 300_000);
        assertEquals(List.of(), starvation.begun(thousandHoursMs));
        assertEquals(List.of(early), starvation.begun(thousandHoursMs + 1));
        assertEquals(1, starvation.view(early).priority());
        assertEquals(0, starvation.view(late).priority());
        starvation.runs(late);
        assertEquals(List.of(), starvation.begun(2 * thousandHoursMs));
        starvation.waits(late, 2 * thousandHoursMs);
        assertEquals(List.of(late), starvation.begun(3 * thousandHoursMs + 300_000));
        assertEquals(Long.MAX_VALUE, Compat.SYNERGY.starvedAfterMs("fifo+synergy-tune"));
        assertEquals(Long.MAX_VALUE, Compat.NONE.starvedAfterMs("las"));
    }

    private JobRun run(int index) throws IOException {
        return new JobRun(index, job("gnmt", 1), Costs.NONE, new CardSpeeds(cluster));
    }
}

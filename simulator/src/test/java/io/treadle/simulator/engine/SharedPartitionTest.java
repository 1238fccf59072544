// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.treadle.simulator.input.InputException;
import io.treadle.simulator.trace.Experiment;
import io.treadle.simulator.trace.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queues with capacities on a node of 8 GPUs, worked out by hand. */
class SharedPartitionTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private static final String HALVES =
            """
                  - {name: a, capacity: 50%}
                  - {name: b, capacity: 50%}
            """;

    /** {@code id: start-end stops}, all in seconds. */
    private List<String> run(String queues, String jobs, boolean preempts) throws IOException {
        SimulationOptions options =
                new SimulationOptions(Compat.NONE, "best-fit", preempts, MeasuredJobs.ALL, 300_000, -1);
        Simulation simulation = new Simulation(workload(queues, jobs), options);
        simulation.check("fifo");
        return simulation.run("fifo", ended -> {}).jobs().stream()
                .map(job -> job.job().id() + ": " + job.firstStartMs() / 1000 + "-" + job.endMs() / 1000
                        + (job.preemptions() > 0 ? " " + job.preemptions() : ""))
                .toList();
    }

    private Workload workload(String queues, String jobs) throws IOException {
        Path cluster = Files.writeString(
                directory.resolve("cluster.yaml"),
                """
                treadle-cluster: 1
                nodes: [{name: n, gpus: 8}]
                partitions:
                  - name: all
                    nodes: [n]
                    queues:
                """
                        + queues.indent(4));
        Path trace = Files.writeString(
                directory.resolve("jobs.csv"), "job_id,queue,submit_s,duration_s,gpus\n" + jobs.replace(' ', '\n'));
        return Runs.workload(trace, cluster.toString(), Experiment.DEFAULT);
    }

    @Test
    void whatIsBorrowedIsKeptUntilItEnds() throws IOException {
        // a holds all 8 GPUs from 0; b's job of 4 comes at 10 and gets them when a's first ends, at 100.
        assertEquals(
                List.of("1: 0-100", "2: 0-200", "3: 100-150"),
                run(HALVES, "1,a,0,100,4 2,a,0,200,4 3,b,10,50,4", false));
    }

    @Test
    void aQueueBelowItsGuaranteeTakesBackTheLatestThatWasBorrowed() throws IOException {
        // At 10, job 2 makes way, for it started last; it has run 10 s, and 190 s are left when 3 ends at 60.
        assertEquals(
                List.of("1: 0-100", "2: 0-250 1", "3: 10-60"),
                run(HALVES, "1,a,0,100,4 2,a,0,200,4 3,b,10,50,4", true));
    }

    @Test
    void noMoreIsTakenBackThanTheGuaranteeAndWholeJobsAlone() throws IOException {
        // b's job 3 takes back 4: stopping 2, the latest, gives 3, so 1 stops too, and then 2 may stay. Job 4 would be
        // beyond b's guarantee and waits until 60, as does the rest of 1: 90 s.
        assertEquals(
                List.of("1: 0-150 1", "2: 0-60", "3: 10-60", "4: 60-70"),
                run(HALVES, "1,a,0,100,5 2,a,0,60,3 3,b,10,50,4 4,b,11,10,2", true));
    }

    @Test
    void jobsWhoseRoomDoesNotHelpAreSpared() throws IOException {
        // One GPU is free; a holds 7 in jobs of 1, 5 and 1 GPUs. b needs 4: stopping 3 (1 GPU) is not enough, 2 is.
        assertEquals(
                List.of("1: 0-100", "2: 1-150 1", "3: 2-102", "4: 10-60"),
                run(HALVES, "1,a,0,100,1 2,a,1,99,5 3,a,2,100,1 4,b,10,50,4", true));
    }

    @Test
    void aQueueStopsAtItsMaximum() throws IOException {
        // b may hold 6 of 8: jobs 1 and 2 of 3 run, the third waits though 2 GPUs are free; one of a starts there.
        String queues =
                """
                  - {name: a, capacity: 2}
                  - {name: b, capacity: 4, maximum: 75%}
                """;
        assertEquals(
                List.of("1: 0-100", "2: 0-100", "3: 100-200", "4: 5-15"),
                run(queues, "1,b,0,100,3 2,b,0,100,3 3,b,0,100,1 4,a,5,10,2", true));
    }

    @Test
    void theQueueThatUsesLeastOfItsGuaranteeIsServedFirst() throws IOException {
        // b, c and a hold 25, 25 and 50 %. All start 1-GPU jobs in turn; a has the larger guarantee, so it begins:
        // a 1/4, b 1/2, c 1/2, a 2/4 (least used), then all at 1/2: a 3/4, b 1, c 1, a 1: a holds 4, b and c 2.
        String queues =
                """
                  - {name: b, capacity: 25%}
                  - {name: c, capacity: 25%}
                  - {name: a, capacity: 50%}
                """;
        StringBuilder jobs = new StringBuilder();
        for (String queue : List.of("a", "b", "c")) {
            for (int i = 0; i < 6; i++) {
                jobs.append(queue).append(i).append(',').append(queue).append(",0,100,1 ");
            }
        }
        assertEquals(
                List.of("a0", "a1", "a2", "a3", "b0", "b1", "c0", "c1"),
                run(queues, jobs.toString(), false).stream()
                        .filter(job -> job.contains(": 0-"))
                        .map(job -> job.substring(0, 2))
                        .toList());
    }

    @Test
    void siblingsGiveBackFirst() throws IOException {
        // x: 50 %, of which x1 and x2 half each; y 50 %. x1 borrows 2 of x2's at 0 and y borrows nothing but holds its
        // 4 since 1. At 10, x2's job takes back from x1, though y's started later.
        String queues =
                """
                  - name: x
                    capacity: 50%
                    queues:
                      - {name: x1, capacity: 50%}
                      - {name: x2, capacity: 50%}
                  - {name: y, capacity: 50%}
                """;
        assertEquals(
                List.of("1: 0-100", "2: 0-120 1", "3: 1-101", "4: 10-30"),
                run(queues, "1,x1,0,100,2 2,x1,0,100,2 3,y,1,100,4 4,x2,10,20,2", true));
    }

    @Test
    void aQueueMayHaveItsOwnPolicy() throws IOException {
        String queues =
                """
                  - {name: a, capacity: 50%, policy: sjf}
                  - {name: b, capacity: 50%, takes: ['*']}
                """;
        // In a the shorter job 3 goes before 2; in b, which takes all other queues, 5 goes before 6.
        assertEquals(
                List.of("1: 0-10", "2: 15-35", "3: 10-15", "4: 0-10", "5: 10-30", "6: 30-35"),
                run(queues, "1,a,0,10,4 2,a,1,20,4 3,a,2,5,4 4,other,0,10,4 5,more,1,20,4 6,more,2,5,4", true).stream()
                        .sorted()
                        .toList());
    }

    @Test
    void whatCouldNeverRunIsToldBefore() {
        assertEquals(
                "job '1' asks for 6 GPUs, queue root.b may hold 4 at most: it could never run.",
                assertThrows(
                                InputException.class,
                                () -> run(
                                        """
                                          - {name: a, capacity: 50%}
                                          - {name: b, capacity: 50%, maximum: 4}
                                        """,
                                        "1,b,0,10,6", false))
                        .getMessage());
        assertEquals(
                "queue root.a: unknown order 'sfj'",
                String.valueOf(assertThrows(
                                        InputException.class,
                                        () -> run("  - {name: a, capacity: 50%, policy: sfj}", "1,a,0,10,1", false))
                                .getMessage())
                        .replaceAll("policy '[^']*': |, must be.*", ""));
    }
}

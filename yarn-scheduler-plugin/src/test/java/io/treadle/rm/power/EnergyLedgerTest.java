// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import static io.treadle.rm.power.Records.ADA;
import static io.treadle.rm.power.Records.BOB;
import static io.treadle.rm.power.Records.GONE;
import static io.treadle.rm.power.Records.container;
import static io.treadle.rm.power.Records.counters;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.rm.history.JobHistories;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EnergyLedgerTest {
    private static final String FIRST = container(ADA, 2);
    private static final String SECOND = container(BOB, 2);

    private final Map<String, Owner> known = new HashMap<>(Records.OWNERS);
    private final EnergyLedger ledger = new EnergyLedger(id -> Optional.ofNullable(known.get(id)));

    private double joules(String application) {
        return ledger.job(application).map(EnergyLedger.Job::joules).orElse(0.0);
    }

    @Test
    void countersOfTwoNodesAddUpByJobUserAndQueue() {
        ledger.count("n1", counters(100_000, 10_000, Map.of(FIRST, 60_000L, SECOND, 30_000L), 0));
        ledger.count("n2", counters(50_000, 0, Map.of(container(ADA, 3), 50_000L), 0));
        ledger.count("n1", counters(130_000, 10_000, Map.of(FIRST, 80_000L, SECOND, 40_000L), 0));
        assertEquals(130, joules(ADA));
        assertEquals(40, joules(BOB));
        EnergyLedger.Sums sums = ledger.sums();
        assertEquals(180, sums.joules());
        assertEquals(10, sums.idleJoules());
        assertEquals(0, sums.unknownJoules());
        assertEquals(Map.of("ada", 130.0, "bob", 40.0), sums.users());
        assertEquals(Map.of("root.ml.a", 130.0, "root.ml.b", 40.0), sums.queues());
        assertEquals(
                Map.of(FIRST, 80.0, container(ADA, 3), 50.0),
                ledger.job(ADA).orElseThrow().containers());
    }

    @Test
    void countersBeginAnewWithTheNodeManager() {
        ledger.count("n1", counters(100_000, 0, Map.of(FIRST, 100_000L), 0));
        ledger.count("n1", counters(7_000, 2_000, Map.of(FIRST, 5_000L), 0));
        assertEquals(105, joules(ADA));
        assertEquals(107, ledger.sums().joules());
        assertEquals(2, ledger.sums().idleJoules());
    }

    @Test
    void containerThatIsNotNamedAnyMoreGetsWhatItSpentAtLast() {
        ledger.count("n1", counters(100_000, 0, Map.of(FIRST, 60_000L, SECOND, 40_000L), 0));
        ledger.count("n1", counters(130_000, 10_000, Map.of(SECOND, 55_000L), 65_000));
        assertEquals(65, joules(ADA));
        assertEquals(55, joules(BOB));
        ledger.count("n1", counters(130_000, 10_000, Map.of(), 120_000));
        assertEquals(55, joules(BOB));
        assertEquals(0, ledger.sums().unknownJoules());
    }

    @Test
    void whatNobodyIsKnownForIsSaid() {
        ledger.count("n1", counters(100_000, 0, Map.of(container(GONE, 2), 30_000L, "strange", 20_000L), 50_000));
        assertEquals(100, ledger.sums().unknownJoules());
        assertEquals(Map.of(), ledger.sums().users());
    }

    @Test
    void movedJobSpendsInItsNewQueueFromThenOn() {
        ledger.count("n1", counters(10_000, 0, Map.of(FIRST, 10_000L), 0));
        known.put(ADA, new Owner(ADA, "ada", "root.ml.b"));
        ledger.count("n1", counters(15_000, 0, Map.of(FIRST, 15_000L), 0));
        assertEquals(Map.of("root.ml.a", 10.0, "root.ml.b", 5.0), ledger.sums().queues());
        assertEquals(15, joules(ADA));
    }

    @Test
    void endedJobKeepsItsJoulesAndTakesThoseThatComeLate() {
        ledger.count("n1", counters(10_000, 0, Map.of(FIRST, 10_000L), 0));
        ledger.end(ADA, OptionalLong.of(500));
        known.remove(ADA);
        ledger.count("n1", counters(11_000, 0, Map.of(FIRST, 11_000L), 0));
        EnergyLedger.Job job = ledger.job(ADA).orElseThrow();
        assertTrue(job.isOver());
        assertEquals(11, job.joules());
        assertEquals(OptionalLong.of(500), job.samples());
    }

    @Test
    void nodeThatComesBackIsNotCountedTwice() {
        ledger.count("n1", counters(10_000, 0, Map.of(FIRST, 10_000L), 0));
        ledger.gone("n1");
        ledger.count("n1", counters(12_000, 0, Map.of(FIRST, 12_000L), 0));
        assertEquals(12, ledger.sums().joules());
    }

    @Test
    void applicationsThatYarnHasEndedAreEndedAndOnlySoManyAreKept() {
        int many = JobHistories.MAX_ENDED + 50;
        for (int i = 0; i < many; i++) {
            String id = String.format("application_1700000000001_%04d", i + 1);
            known.put(id, new Owner(id, "eve", "root.ml.a"));
            ledger.count("n" + i, counters(1_000, 0, Map.of(container(id, 2), 1_000L), 0));
            known.remove(id);
        }
        ledger.count("n1", counters(1_000, 0, Map.of(FIRST, 1_000L), 0));
        ledger.sweep();
        List<EnergyLedger.Job> jobs = ledger.jobs();
        assertEquals(JobHistories.MAX_ENDED + 1, jobs.size());
        assertEquals(ADA, jobs.get(0).owner().application());
        assertEquals(many * 1.0, ledger.sums().users().get("eve"));
    }

    /** Containers come and go, NodeManagers restart: all parts add up to what the nodes have counted. */
    @Test
    void partsAddUpWhateverNodesDo() {
        Random random = new Random(7);
        long[] spent = new long[3];
        for (int node = 0; node < spent.length; node++) {
            Map<String, Long> containers = new HashMap<>();
            long idle = 0;
            long ended = 0;
            for (int step = 0; step < 400; step++) {
                if (random.nextInt(40) == 0) {
                    containers.clear();
                    idle = 0;
                    ended = 0;
                }
                int start = random.nextInt(6);
                containers.putIfAbsent(container(start < 3 ? ADA : start < 5 ? BOB : GONE, 1 + random.nextInt(9)), 0L);
                for (String id : List.copyOf(containers.keySet())) {
                    long more = random.nextInt(1000);
                    spent[node] += more;
                    containers.merge(id, more, Long::sum);
                    if (random.nextInt(5) == 0) {
                        ended += containers.remove(id);
                    }
                }
                long more = random.nextInt(300);
                spent[node] += more;
                idle += more;
                long gpus = idle
                        + ended
                        + containers.values().stream().mapToLong(l -> l).sum();
                ledger.count("n" + node, counters(gpus, idle, containers, ended));
            }
        }
        EnergyLedger.Sums sums = ledger.sums();
        double users = sums.users().values().stream().mapToDouble(j -> j).sum();
        assertEquals(sums.joules(), users + sums.idleJoules() + sums.unknownJoules(), 1e-6);
        assertEquals(users, joules(ADA) + joules(BOB), 1e-6);
        assertEquals(users, sums.queues().values().stream().mapToDouble(j -> j).sum(), 1e-6);
        // What was spent between the last record before a restart and the restart itself is lost with the counters.
        double all = (spent[0] + spent[1] + spent[2]) / 1000.0;
        assertTrue(sums.joules() <= all + 1e-6 && sums.joules() > 0.95 * all, sums.joules() + " of " + all);
    }
}

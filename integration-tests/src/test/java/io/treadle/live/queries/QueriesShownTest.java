// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.live.Shown;
import io.treadle.simulator.bench.Compared;
import io.treadle.simulator.bench.Machine;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueriesShownTest {
    private static final Machine MACHINE = new Machine("a processor", 2, "a JVM", 0.1);
    private static final EmptyTasks EMPTY = new EmptyTasks(16, 1, 20);

    private static Beside beside(String policy, double simulated) {
        return new Beside(
                policy,
                0.4,
                10,
                List.of(100.0, 200.0),
                List.of(simulated, 2 * simulated),
                List.of(90.0, 180.0),
                new Overheads(2, 0.3),
                1.02,
                0.41);
    }

    @Test
    void goalsThatAreMetAndMissed() {
        Shown good = QueriesShown.of(MACHINE, List.of(beside("compass", 110)), 2500, EMPTY, true);
        assertEquals(List.of(), good.missed());
        assertEquals(
                "The simulator is off by 10.0 % at most in what queries take, on average and at the 95th percentile; a"
                        + " service runs 2500 empty tasks a second.",
                good.opening());
        Shown bad = QueriesShown.of(MACHINE, List.of(beside("compass", 110), beside("hash", 80)), 1999, EMPTY, true);
        assertEquals(
                List.of(
                        "hash at load 0.4: simulated, the mean is 0.80 and the p95 0.80 times that of the service, must be"
                                + " within 15 %",
                        "1999 empty tasks a second, must be at least 2000"),
                bad.missed());
        assertEquals(
                List.of(),
                QueriesShown.of(MACHINE, List.of(beside("hash", 10)), 1, EMPTY, false)
                        .missed());
    }

    @Test
    void figuresForPeopleAndPrograms() {
        Shown shown = QueriesShown.of(MACHINE, List.of(beside("compass", 110)), 2500, EMPTY, true);
        assertEquals(
                List.of(
                        "compass",
                        "0.4",
                        "10.0",
                        "2",
                        "150.0 ms",
                        "165.0 ms",
                        "1.10",
                        "0.90",
                        "200.0 ms",
                        "220.0 ms",
                        "1.10",
                        "0.90"),
                shown.sections().get(0).rows().get(1));
        assertEquals(
                List.of("compass", "0.4", "2.00 ms", "0.30 ms", "0.41", "1.02"),
                shown.sections().get(1).rows().get(1));
        assertEquals(
                List.of("20 s", "2500", "2000"), shown.sections().get(2).rows().get(1));
        assertEquals(
                new Compared("live queries: empty tasks a second, of the goal", 2500, 2000, 1.25, "1/s"),
                shown.compared().get(2));
        assertEquals(
                Map.of(
                        "latencies.csv",
                        """
                        policy,load,query,liveMs,simulatedMs,foretoldMs
                        compass,0.4,0,100.000,110.000,90.000
                        compass,0.4,1,200.000,220.000,180.000
                        """),
                shown.tables());
        assertTrue(
                shown.sections().stream().allMatch(section -> section.rows().stream()
                        .allMatch(row -> row.size() == section.rows().get(0).size())),
                "rows are as long as their heads");
    }

    @Test
    void seeds() {
        assertEquals(
                new SeedOption(7, List.of("--live", "--quick")),
                SeedOption.takeFrom(List.of("--live", "--seed", "7", "--quick")));
        assertEquals(new SeedOption(1, List.of("--live")), SeedOption.takeFrom(List.of("--live")));
        assertEquals(new SeedOption(1, List.of("--seed", "x")), SeedOption.takeFrom(List.of("--seed", "x")));
    }
}

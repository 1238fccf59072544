// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clusters and events from seeds; what must always hold is looked at after every event. */
@Tag("simulation")
class EventSimulationTest {
    /** The last seed that is run, the first, and which alone; see {@code ./treadle verify --help}. */
    private static final int SEEDS = Integer.getInteger("treadle.simulation.seeds", 200);

    private static final int FIRST = Integer.getInteger("treadle.simulation.first", 1);

    private static final long ONLY = Long.getLong("treadle.simulation.seed", 0);
    /** Simulations that may be run to leave out events. */
    private static final int RUNS = Integer.getInteger("treadle.simulation.minimize", 150);

    private static final int MOST_REPORTED = 5;
    /** Of all simulations. */
    private static final double MOST_UNJUDGED = 0.1;

    @Test
    void everySeedKeepsTheRules() {
        List<String> failures = new ArrayList<>();
        long first = ONLY > 0 ? ONLY : FIRST;
        long last = ONLY > 0 ? ONLY : SEEDS;
        int unjudged = Simulation.UNJUDGED.get();
        for (long seed = first; seed <= last && failures.size() < MOST_REPORTED; seed++) {
            Scenario scenario = Scenario.from(seed);
            Optional<Simulation.Failure> failure = Simulation.run(scenario);
            if (failure.isPresent()) {
                failures.add(report(scenario, failure.get(), failures.isEmpty()));
            }
        }
        if (!failures.isEmpty()) {
            fail(String.join("\n\n", failures));
        }
        int notKnown = Simulation.UNJUDGED.get() - unjudged;
        long seeds = last - first + 1;
        assertTrue(
                ONLY > 0 || notKnown <= seeds * MOST_UNJUDGED,
                () -> "in " + notKnown + " of " + seeds + " seeds somebody waits and it is not known why");
    }

    /** What a person is told of a seed that fails. */
    static String report(Scenario scenario, Simulation.Failure failure, boolean minimized) {
        StringBuilder text = new StringBuilder()
                .append("Seed ")
                .append(scenario.seed())
                .append(" fails after event ")
                .append(failure.event())
                .append(" of ")
                .append(scenario.events().size())
                .append(": ")
                .append(failure.text())
                .append("\nRepeat it by: ./treadle verify --seed ")
                .append(scenario.seed());
        if (minimized) {
            List<Event> fewest = Minimizer.minimize(scenario, failure, RUNS).events();
            text.append("\nThe cluster: ")
                    .append(scenario.setting())
                    .append("\nThese ")
                    .append(fewest.size())
                    .append(" events are enough:");
            fewest.forEach(event -> text.append("\n    ").append(event));
        }
        return text.toString();
    }

    @Test
    void sameSeedTakesTheSameCourse() throws Exception {
        for (long seed : new long[] {11, 12, 143}) {
            List<String> course = courseToItsEnd(Scenario.from(seed));
            assertFalse(course.isEmpty());
            for (int i = 0; i < 3; i++) {
                assertEquals(course, courseToItsEnd(Scenario.from(seed)), "seed " + seed);
            }
        }
    }

    /** With no gang in the cluster every container comes when and where it comes without Treadle. */
    @Test
    void withoutGangsContainersComeAsFromCapacityScheduler() throws Exception {
        for (long seed = 1; seed <= Math.max(4, (SEEDS - FIRST) / 10); seed++) {
            Scenario plain = Scenario.from(seed).withoutGangs();
            assertEquals(course(plain, true), course(plain, false), "seed " + seed);
        }
    }

    /** Which containers ApplicationMasters have received after each event. */
    private static List<String> course(Scenario scenario, boolean stock) throws Exception {
        try (SimulatedCluster cluster = new SimulatedCluster(scenario.setting(), stock)) {
            events(scenario, cluster);
            return cluster.delivered();
        }
    }

    /** Also of the time after the last event, in which YARN's preemption looks often. */
    private static List<String> courseToItsEnd(Scenario scenario) throws Exception {
        List<String> course = new ArrayList<>();
        try (SimulatedCluster cluster = new SimulatedCluster(scenario.setting(), false)) {
            events(scenario, cluster);
            new CalmTime(() -> course.add(Waits.books(cluster))).begin(cluster);
            course.addAll(cluster.delivered());
        }
        return course;
    }

    private static void events(Scenario scenario, SimulatedCluster cluster) throws Exception {
        for (Event event : scenario.events()) {
            Simulation.happen(event, cluster);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A failure is told with the command that repeats it, and with no event that it does not need. */
@Tag("simulation")
class MinimizerTest {
    private static final PlantedFault FAULT = PlantedFault.RESERVATIONS_OF_PLAIN_TIMES_STAY;
    private static final int RUNS = 1_000;

    private static Optional<String> brokenRule(Scenario scenario) {
        return Simulation.run(scenario).map(Simulation.Failure::rule);
    }

    @Test
    void noEventCanBeLeftOutOfWhatIsLeft() {
        Optional<String> rule = Optional.of(FAULT.rule());
        Scenario scenario = FAULT.scenarios().findFirst().orElseThrow();
        PlantedFault.Planted planted = FAULT.plant();
        try {
            Simulation.Failure failure = Simulation.run(scenario).orElseThrow();
            Scenario fewest = Minimizer.minimize(scenario, failure, RUNS);
            assertTrue(fewest.events().size() < scenario.events().size(), fewest::toString);
            assertEquals(rule, brokenRule(fewest));
            for (int i = 0; i < fewest.events().size(); i++) {
                List<Event> fewer = new ArrayList<>(fewest.events());
                Event leftOut = fewer.remove(i);
                assertNotEquals(rule, brokenRule(fewest.with(fewer)), () -> leftOut + " is not needed");
            }
        } finally {
            planted.close();
        }
    }

    @Test
    void failureIsToldWithItsCommandAndItsEvents() {
        Scenario scenario = FAULT.scenarios().findFirst().orElseThrow();
        PlantedFault.Planted planted = FAULT.plant();
        try {
            Simulation.Failure failure = Simulation.run(scenario).orElseThrow();
            String text = EventSimulationTest.report(scenario, failure, true);
            assertTrue(text.contains("\nRepeat it by: ./treadle verify --seed " + scenario.seed() + "\n"), text);
            assertTrue(text.contains("\nThe cluster: " + scenario.setting() + "\n"), text);
            assertTrue(text.contains(failure.text()), text);
            assertTrue(text.contains("\n    submit gang a1 of alice in ml"), text);
        } finally {
            planted.close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulation finds faults: some are planted, and each breaks a rule, most of them in one of the first seeds. */
@Tag("simulation")
class PlantedFaultsTest {
    @ParameterizedTest
    @EnumSource
    void isFound(PlantedFault fault) {
        Scenario found;
        PlantedFault.Planted planted = fault.plant();
        try {
            found = fault.scenarios()
                    .filter(scenario -> Simulation.run(scenario)
                            .map(Simulation.Failure::rule)
                            .filter(fault.rule()::equals)
                            .isPresent())
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no scenario breaks the rule: " + fault.rule()));
        } finally {
            planted.close();
        }
        // It is the planted fault, and nothing else, that was found.
        assertEquals(Optional.empty(), Simulation.run(found));
    }
}

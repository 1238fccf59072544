// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulation finds faults: some are planted, and each breaks a rule of one of the first seeds. */
class PlantedFaultsTest {
    private static final int SEEDS = 40;

    @ParameterizedTest
    @EnumSource
    void isFound(PlantedFault fault) {
        long found = 0;
        PlantedFault.Planted planted = fault.plant();
        try {
            for (long seed = 1; seed <= SEEDS && found == 0; seed++) {
                Scenario scenario = Scenario.from(seed);
                if (fault.matters(scenario.setting())
                        && Simulation.run(scenario).isPresent()) {
                    found = seed;
                }
            }
        } finally {
            planted.close();
        }
        if (found == 0) {
            fail("none of " + SEEDS + " seeds finds it");
        }
        // It is the planted fault, and nothing else, that the seed has found.
        assertEquals(Optional.empty(), Simulation.run(Scenario.from(found)));
    }
}

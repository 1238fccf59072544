// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What was found by a seed once, and is rare. */
@Tag("simulation")
class OccasionsTest {
    @Test
    void nothingIsCommittedToANodeThatIsAnotherOneNow() {
        assertEquals(Optional.empty(), Simulation.run(Occasions.nodeRegistersBeforeTheCommit()));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the simulation has found, in as few events as show it. */
class KnownCasesTest {
    private static final Setting SETTING = new Setting(false, false, true, "srtf+synergy-balanced", true, 50, 100, 10);

    private static void holds(Event... events) {
        Scenario scenario = new Scenario(0, SETTING, Arrays.asList(events));
        assertEquals(Optional.empty(), Simulation.run(scenario));
    }

    private static List<Event> everybody(int times) {
        return Collections.nCopies(times, new Event.Everybody());
    }

    /** The increase was taken for the container of the new ApplicationMaster. */
    @Test
    void nothingIsResizedWhileAnApplicationMasterStartsAgain() {
        List<Event> events = new ArrayList<>();
        events.add(new Event.Submit(new Job(0, Job.Kind.GANG, "ml", "alice", 1, ResourceVector.of(1, 1, 512), 1_000)));
        events.addAll(everybody(8));
        events.add(new Event.Resize(0, 0, false));
        events.addAll(everybody(2));
        events.add(new Event.Crash(0));
        events.addAll(everybody(8));
        holds(events.toArray(Event[]::new));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.EnergyPoint;
import io.treadle.core.wire.ProfileRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LiveEnergiesTest {
    private static final List<TaskGroup> GROUPS =
            List.of(new TaskGroup("worker", 1, 4, ResourceVector.of(1, 1, 256), Set.of()));
    private static final Optional<PowerSight.Gpus> GPUS = Optional.of(new PowerSight.Gpus(100, 400, 60));

    private final LiveEnergies energies = new LiveEnergies();

    @BeforeEach
    void round() {
        energies.roundBegins();
    }

    private static EnergyPoint point(int gpus, double capWatts, double samplesPerSecond, double watts) {
        return new EnergyPoint(gpus, 1, 64, capWatts, samplesPerSecond, watts, 10, 0.005, 1);
    }

    private static ProfileRecord record(EnergyPoint... points) {
        ProfileRecord plain =
                new ProfileRecord("application_1_0001", "m", "A100", 64, ProfileRecord.Phase.READY, 1, List.of(), 1);
        return plain.withEnergy(List.of(points));
    }

    @Test
    void theTimeOfASampleIsTheMeasuredOne() {
        LiveEnergy energy = energies.of(
                        "j",
                        record(point(1, 160, 126, 158), point(1, 240, 207, 234), point(1, 400, 248, 357)),
                        GROUPS,
                        GPUS)
                .orElseThrow();
        assertEquals(1 / 248.0, energy.secondsPerSample(), 0.03 / 248);
        assertEquals(2, energy.profile().gpus(energy.profile().sizes() - 1), "twice what was measured");
    }

    @Test
    void aProfileIsFittedOnceAsLongAsNothingChanges() {
        ProfileRecord known = record(point(1, 400, 248, 357));
        LiveEnergy first = energies.of("j", known, GROUPS, GPUS).orElseThrow();
        energies.roundBegins();
        assertSame(first, energies.of("j", known, GROUPS, GPUS).orElseThrow());
        energies.roundBegins();
        energies.roundBegins();
        assertNotSame(first, energies.of("j", known, GROUPS, GPUS).orElseThrow(), "of a job that was gone");
    }

    @Test
    void pointsThatCannotBeFittedLeaveTheJobUnknownAndThrowNothing() {
        List<EnergyPoint> bad = new ArrayList<>();
        for (double speed : new double[] {1e-300, 1e-9, 1, 1e12}) {
            for (double watts : new double[] {1e-300, 1, 439}) {
                bad.add(new EnergyPoint(1, 1, 1_000_000_000_000_000L, 400, speed, watts, 1e9, 0, 1));
            }
        }
        bad.forEach(point -> assertNotNull(energies.of("j", record(point), GROUPS, GPUS)));
        assertNotNull(energies.of("j", record(bad.toArray(EnergyPoint[]::new)), GROUPS, GPUS));
        assertEquals(Optional.empty(), energies.of("j", record(), GROUPS, GPUS));
        assertEquals(Optional.empty(), energies.of("j", record(point(1, 400, 248, 357)), GROUPS, Optional.empty()));
    }
}

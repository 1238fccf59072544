// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NearestTest {
    private static final List<String> NAMES = List.of("count", "gpusPerWorker", "gpuMemory", "memory", "command");

    @Test
    void countsEdits() {
        assertEquals(3, Nearest.distance("kitten", "sitting"));
        assertEquals(0, Nearest.distance("", ""));
        assertEquals(4, Nearest.distance("", "four"));
    }

    @Test
    void overlooksDashesAndCase() {
        assertEquals(Optional.of("gpusPerWorker"), Nearest.of("GPUS_per-worker", NAMES));
    }

    @Test
    void takesTheNearestOfSeveral() {
        assertEquals(Optional.of("memory"), Nearest.of("memery", NAMES));
        assertEquals(Optional.of("gpuMemory"), Nearest.of("gpuMemry", NAMES));
    }

    @Test
    void completesPrefixes() {
        assertEquals(Optional.of("gpusPerWorker"), Nearest.of("gpus", NAMES));
    }

    @Test
    void findsNothingFarAway() {
        assertEquals(Optional.empty(), Nearest.of("restartPolicy", NAMES));
        assertEquals(Optional.empty(), Nearest.of("", NAMES));
    }
}

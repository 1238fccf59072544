// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.am.protocol.ReportMessage;
import io.treadle.core.wire.EnergyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnergyWatchTest {
    private static final EnergyFile ENERGY = new EnergyFile(10_000, 500, 1, 250, 100, 400);

    private final Path file;
    private final EnergyWatch watch;

    EnergyWatchTest(@TempDir Path directory) {
        file = directory.resolve(EnergyFile.NAME);
        watch = new EnergyWatch(directory);
    }

    @Test
    void saysWhatTheNodeSaysAndHowOldItIs() throws IOException {
        assertEquals(Optional.empty(), watch.read(12_000));
        AtomicFile.write(file, ENERGY.toJson());
        assertEquals(Optional.of(new ReportMessage.Energy(ENERGY, 2)), watch.read(12_000));
        assertEquals(Optional.of(new ReportMessage.Energy(ENERGY, 3)), watch.read(13_000));
        assertEquals(Optional.of(new ReportMessage.Energy(ENERGY, 0)), watch.read(9_000), "a clock that was set back");
        Files.delete(file);
        assertEquals(Optional.empty(), watch.read(14_000));
        assertEquals(Map.of(), watch.problems());
    }

    @Test
    void badContentIsCountedOnceAndLeftOut() throws IOException {
        for (String bad : new String[] {"{", "", ENERGY.toJson().replace("500", "-5"), "x".repeat(100_000)}) {
            AtomicFile.write(file, bad);
            assertEquals(Optional.empty(), watch.read(12_000));
            assertEquals(Optional.empty(), watch.read(12_000));
        }
        assertEquals(Map.of("bad energy.json", 4L), watch.problems());
        AtomicFile.write(file, ENERGY.toJson());
        assertEquals(Optional.of(new ReportMessage.Energy(ENERGY, 2)), watch.read(12_000));
        Files.delete(file);
        Files.createDirectory(file);
        assertEquals(Optional.empty(), watch.read(12_000));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.treadle.demo.DemoException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DigitsTrainingTest {
    private static final ModelSizes SMALL = new ModelSizes(60, 20, 50, 20);

    private final Path directory;

    DigitsTrainingTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void anotherJvmWritesTheSameBytes() throws Exception {
        Path file = directory.resolve("digits.csv.gz");
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            for (int i = 0; i < 40; i++) {
                String line = String.join(",", Collections.nCopies(Digits.PIXELS, String.valueOf(i % 16)));
                out.write((line + "," + i % 10 + "\n").getBytes(StandardCharsets.US_ASCII));
            }
        }
        DemoModels apart =
                DigitsTraining.run(directory.resolve("apart"), file, SMALL, 9, directory.resolve("training.log"));
        DemoModels here = DigitsModels.write(
                directory.resolve("here"), DigitsFile.read(file).split(9).training(), SMALL, 9);
        assertEquals(here.mix(), apart.mix());
        assertEquals(6, apart.files().size());
        for (int i = 0; i < apart.files().size(); i++) {
            assertEquals(here.files().get(i).name(), apart.files().get(i).name());
            assertEquals(here.files().get(i).bytes(), apart.files().get(i).bytes());
            assertArrayEquals(
                    Files.readAllBytes(here.files().get(i).file()),
                    Files.readAllBytes(apart.files().get(i).file()));
        }
    }

    @Test
    void saysWhyItCannot() {
        Path missing = directory.resolve("missing.csv.gz");
        assertEquals(
                "models cannot be trained: " + missing + " cannot be read: " + missing,
                assertThrows(
                                DemoException.class,
                                () -> DigitsTraining.run(
                                        directory, missing, SMALL, 9, directory.resolve("training.log")))
                        .getMessage());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.treadle.demo.DemoException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DigitsFileTest {
    private final Path file;

    DigitsFileTest(@TempDir Path directory) {
        file = directory.resolve("digits.csv.gz");
    }

    private Digits read(List<String> lines) throws IOException {
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.US_ASCII));
        }
        return DigitsFile.read(file);
    }

    private static String line(String pixel, String digit) {
        return String.join(",", Collections.nCopies(Digits.PIXELS, pixel)) + "," + digit;
    }

    @Test
    void readsPixelsAndDigits() throws Exception {
        Digits digits = read(IntStream.range(0, 10)
                .mapToObj(i -> line(i == 3 ? "8.000000000000000000e+00" : "16", i + ".0"))
                .toList());
        assertEquals(10, digits.count());
        assertEquals(0.5f, digits.image(3)[63]);
        assertEquals(1f, digits.image(4)[0]);
        assertEquals(9, digits.label(9));
    }

    @Test
    void saysWhatIsWrongAndWhere() {
        String must = ", must have 64 pixels of 0 to 16 and a digit of 0 to 9";
        assertWrong("line 2 holds '17'" + must, line("17", "1"));
        assertWrong("line 2 holds '10'" + must, line("1", "10"));
        assertWrong("line 2 holds 'x'" + must, line("x", "1"));
        assertWrong("line 2 has 2 numbers" + must, "1,2");
        assertEquals(
                file + " has 1 images, must have 10 or more",
                assertThrows(DemoException.class, () -> read(List.of(line("1", "1"))))
                        .getMessage());
    }

    private void assertWrong(String expected, String line) {
        DemoException thrown = assertThrows(DemoException.class, () -> read(List.of(line("1", "1"), line)));
        assertEquals(file + ", " + expected, thrown.getMessage());
    }

    @Test
    void aFifthIsHeldOutAndNoneIsLost() {
        Digits all = DrawnDigits.of(101, 3);
        Digits.Split split = all.split(4);
        assertEquals(20, split.heldOut().count());
        assertEquals(81, split.training().count());
        int sum = Arrays.stream(split.heldOut().labels()).sum()
                + Arrays.stream(split.training().labels()).sum();
        assertEquals(Arrays.stream(all.labels()).sum(), sum);
        assertEquals(
                Arrays.toString(split.heldOut().labels()),
                Arrays.toString(all.split(4).heldOut().labels()));
    }
}

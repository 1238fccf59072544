// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoundedTextTest {
    private static final int MIB = 1 << 20;

    private final Path directory;

    BoundedTextTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** A file of this head and so many MiB of the same letter after it. */
    private Path file(String name, String head, int mebibytes, String end) throws IOException {
        Path file = directory.resolve(name);
        try (OutputStream bytes = Files.newOutputStream(file);
                OutputStream out = name.endsWith(".gz") ? new GZIPOutputStream(bytes, 1 << 16) : bytes) {
            out.write(head.getBytes(StandardCharsets.UTF_8));
            byte[] part = "x".repeat(MIB - end.length()).concat(end).getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < mebibytes; i++) {
                out.write(part);
            }
        }
        return file;
    }

    private static String refused(Path file) {
        return String.valueOf(
                assertThrows(InputException.class, () -> Table.withHeader(file).forEach(row -> {}))
                        .getMessage());
    }

    @Test
    void lineThatIsTooLongIsSaid() throws IOException {
        Path file = file("long.csv", "a,b\n1,2\n", 17, "");
        assertEquals(
                file + " cannot be read: line 3 has more than 16777216 characters, which no row of a table has.",
                refused(file));
    }

    /** Half a megabyte that would be half a gigabyte. */
    @Test
    void fileThatUnpacksToAHundredTimesWhatATableDoesIsSaid() throws IOException {
        Path file = file("bomb.csv.gz", "a,b\n", 400, "\n");
        long most = Math.max(64L * MIB, 250 * Files.size(file));
        assertEquals(
                file + " cannot be read: it unpacks to more than " + most
                        + " characters, over 250 times its size, as a file that is made to fill a machine does.",
                refused(file));
    }

    @Test
    void smallFilesAndDocumentsOfOneLineAreRead() throws IOException {
        Path regular = file("regular.csv.gz", "a\n", 60, "\n");
        long[] rows = {0};
        Table.withHeader(regular).forEach(row -> rows[0]++);
        assertEquals(60, rows[0]);
        try (BufferedReader document = TextFiles.open(file("one-line.json", "", 20, ""))) {
            assertEquals(20 * MIB, document.readLine().length());
        }
    }
}

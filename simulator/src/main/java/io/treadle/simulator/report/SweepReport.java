// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.files.WholeFile;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.result.SweepRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Writes {@code report.html} of a sweep. */
public final class SweepReport {
    private SweepReport() {}

    /**
     * @param directory where it goes; it is there
     * @param rows at least one
     * @throws InputException if it cannot be written
     */
    public static void write(Path directory, SweepSubject subject, List<SweepRow> rows) {
        byte[] page = new SweepPage(subject, rows).html().getBytes(StandardCharsets.UTF_8);
        try {
            WholeFile.write(directory.resolve("report.html"), out -> out.write(page));
        } catch (IOException e) {
            throw new InputException("cannot write to " + directory + ": " + e.getMessage() + ".", e);
        }
    }
}

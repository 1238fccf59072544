// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GridCarbonTest {
    private static final long NOON = Instant.parse("2026-05-01T12:00:00Z").toEpochMilli();
    private static final long HOUR = 3_600_000;

    @Test
    void linesAreUsedHolesAndBadLinesNamed() {
        CarbonTable table = CarbonTable.parse(
                "grid.csv",
                List.of(
                        "region,timestamp,gramsPerKwh",
                        "x,2026-05-01T12:00:00Z,400",
                        "x,2026-05-01 13:00:00,500",
                        "",
                        "x,2026-05-01T13:00:00Z,600",
                        "x,2026-05-01T16:00:00+02:00,700.5",
                        "x,2026-05-01T15:00:00Z,much",
                        "x,2026-05-01T18:00:00Z,300"));
        assertEquals(
                Map.of(NOON, 400.0, NOON + HOUR, 500.0, NOON + 2 * HOUR, 700.5, NOON + 6 * HOUR, 300.0),
                table.series());
        assertEquals(3, table.troubles().size());
        assertTrue(
                table.troubles().get(0).startsWith("Line 5 of grid.csv is left out"),
                table.troubles().get(0));
        assertTrue(
                table.troubles().get(1).contains("'x,2026-05-01T15:00:00Z,much'"),
                table.troubles().get(1));
        assertEquals(
                "grid.csv has a hole from 2026-05-01 14:00 UTC to 2026-05-01 18:00 UTC: the value before holds over it.",
                table.troubles().get(2));
    }

    @Test
    void fileIsReadAgainWhenItHasChangedAndKeptWhenItIsGone(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("grid.csv");
        GridCarbon grid = new GridCarbon(file.toString());
        grid.refresh();
        assertTrue(grid.intensity().isEmpty());
        assertTrue(
                grid.warnings(NOON).get(0).contains("budgets in watts count alone"),
                grid.warnings(NOON).get(0));
        Files.writeString(file, "timestamp,gramsPerKwh\n2026-05-01T12:00:00Z,400\n");
        grid.refresh();
        assertTrue(grid.intensity().isPresent());
        assertEquals(List.of(), grid.warnings(NOON + HOUR));
        assertEquals(
                List.of("The last carbon intensity in " + file
                        + " is of 2026-05-01 12:00 UTC: it goes on to count until the file has newer ones."),
                grid.warnings(NOON + 3 * HOUR));
        Files.writeString(file, "time,grams\n");
        Files.setLastModifiedTime(file, FileTime.fromMillis(NOON));
        grid.refresh();
        assertTrue(grid.intensity().isPresent());
        assertTrue(
                grid.warnings(NOON)
                        .get(0)
                        .contains("its first line is 'time,grams', must name the columns timestamp and gramsPerKwh"),
                grid.warnings(NOON).get(0));
    }
}

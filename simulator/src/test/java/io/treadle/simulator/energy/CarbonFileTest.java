// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.energy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.budget.BudgetKeeper;
import io.treadle.core.budget.EnergyBudget;
import io.treadle.core.cluster.PowerView;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CarbonFileTest {
    private static final PowerView NODES = PowerView.unlimited(450, 55, 400);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private CarbonFile read(String text, boolean holdsOver) throws IOException {
        return CarbonFile.read(Files.writeString(directory.resolve("grid.csv"), text), holdsOver);
    }

    /** What 1,000 g/h are, where nothing else limits. */
    private static double watts(CarbonFile file, long seconds) {
        return new BudgetKeeper(EnergyBudget.parse("carbon:1000"), 1e5, 0, Optional.of(file.intensity()))
                .at(seconds * 1000, 0, NODES)
                .limitWatts();
    }

    @Test
    void eachValueHoldsUntilTheNext() throws IOException {
        CarbonFile file = read("seconds,gramsPerKwh\n0,20\n3600,40\n7200,25\n", false);
        assertEquals(50_000, watts(file, 0), 1e-6);
        assertEquals(50_000, watts(file, 3599), 1e-6);
        assertEquals(25_000, watts(file, 3600), 1e-6);
        assertEquals(40_000, watts(file, 1_000_000), 1e-6);
        assertEquals(40, file.mostGramsPerKwh());
        assertEquals("grid.csv", file.toString());
    }

    @Test
    void theFirstOfDatesIsTheTracesZero() throws IOException {
        CarbonFile file =
                read("zone,timestamp,gramsPerKwh\nx,2026-01-01T00:00:00Z,20\nx,2026-01-01T01:00:00Z,40\n", false);
        assertEquals(50_000, watts(file, 3599), 1e-6);
        assertEquals(25_000, watts(file, 3600), 1e-6);
    }

    @Test
    void holesAreRefusedUnlessTheyAreToBeHeld() throws IOException {
        // One value is missing at 7,200 s: that is no hole. At 14,400 and 18,000 s two are.
        String text = "seconds,gramsPerKwh\n0,20\n3600,40\n10800,25\n21600,20\n25200,20\n28800,20\n";
        String message = String.valueOf(
                assertThrows(InputException.class, () -> read(text, false)).getMessage());
        assertTrue(
                message.contains("grid.csv, rows 4 and 5: are 10800.0 s from each other, must be at most 7200.0 s"),
                message);
        assertTrue(message.contains("--carbon-holes hold"), message);
        assertEquals(40_000, watts(read(text, true), 20_000), 1e-6);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "seconds,gramsPerKwh/0,20/0,30 | row 3, column 'seconds': is '0', must be after that of the row before",
                "seconds,gramsPerKwh/60,20/30,30 | row 3, column 'seconds': is '30', must be after that of the row before",
                "seconds,gramsPerKwh/0,-1 | row 2, column 'gramsPerKwh': is '-1', must be a number from 0.001 to 2000",
                "seconds,gramsPerKwh/0,NaN | row 2, column 'gramsPerKwh': is 'NaN', must be a number from 0.001 to 2000",
                "seconds,gramsPerKwh/-5,20 | row 2, column 'seconds': is '-5', must be a number from 0",
                "timestamp,gramsPerKwh/soon,20 | row 2, column 'timestamp': is 'soon', must be a time such as 2024-05-01",
                "seconds,gramsPerKwh | holds no carbon intensity, must have a row at least",
                "seconds,grams/0,20 | its columns are [seconds, grams], must be seconds or timestamp, and gramsPerKwh",
                "seconds,timestamp,gramsPerKwh/0,0,2 | must be seconds or timestamp, and gramsPerKwh",
            })
    void refusesWhatIsNoSeries(String text, String why) {
        String message =
                String.valueOf(assertThrows(InputException.class, () -> read(text.replace('/', '\n') + "\n", false))
                        .getMessage());
        assertTrue(message.contains(why), message);
    }
}

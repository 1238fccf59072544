// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoOptionsTest {
    @Test
    void defaults() {
        DemoOptions options = DemoOptions.parse(List.of());

        assertEquals(List.of("srtf+synergy-balanced", "fifo+proportional"), options.policies());
        assertEquals(Path.of("out/demo"), options.report());
        assertFalse(options.keep() || options.torch() || options.servers() || options.serve() || options.help());
    }

    @Test
    void everyOption() {
        DemoOptions options = DemoOptions.parse(List.of(
                "--policy",
                "fifo+synergy-tune,srtf+synergy-tune,fifo+synergy-tune",
                "--report",
                "r",
                "--keep",
                "--seed",
                "7",
                "--torch",
                "--help"));

        assertEquals(List.of("fifo+synergy-tune", "srtf+synergy-tune", "fifo+proportional"), options.policies());
        assertEquals(Path.of("r"), options.report());
        assertEquals(7, options.seed());
        assertTrue(options.keep() && options.torch() && options.help());
    }

    @Test
    void eachDemoOfItsOwnIsNamedInTheUsage() {
        assertTrue(DemoOptions.parse(List.of("--torch")).torch());
        assertTrue(DemoOptions.parse(List.of("--ps")).servers());
        assertTrue(
                DemoOptions.parse(List.of("--serve", "--keep", "--seed", "3")).serve());
        assertTrue(DemoOptions.USAGE.contains("[--torch | --ps | --serve]"));
        assertTrue(DemoOptions.USAGE.contains("  --serve  "));
    }

    @Test
    void theBaselineAloneRunsOnce() {
        assertEquals(
                List.of("fifo+proportional"),
                DemoOptions.parse(List.of("--policy", "fifo+proportional")).policies());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--sed 1; unknown argument '--sed'",
                "--seed; --seed has no value",
                "--seed x; --seed is 'x'",
                "--seed -1; --seed is '-1'",
                "--report --keep; --report has no value",
                "--policy srtf+; --policy names 'srtf+'",
                "--policy a,,b; --policy names ''",
                "--torch --ps; --torch, --ps and --serve are demos of their own, must be one at most",
                "--serve --ps; --torch, --ps and --serve are demos of their own, must be one at most",
                "--serve --torch; --torch, --ps and --serve are demos of their own, must be one at most"
            })
    void mistakesAreNamed(String line, String message) {
        DemoException mistake = assertThrows(DemoException.class, () -> DemoOptions.parse(List.of(line.split(" "))));

        assertTrue(String.valueOf(mistake.getMessage()).startsWith(message), mistake.getMessage());
    }
}

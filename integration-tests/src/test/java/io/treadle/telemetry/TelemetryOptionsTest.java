// SPDX-License-Identifier: Apache-2.0
package io.treadle.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.treadle.demo.DemoException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TelemetryOptionsTest {
    @Test
    void options() {
        assertEquals(
                new TelemetryOptions(8, 60, Path.of("out/bench-telemetry"), false), TelemetryOptions.parse(List.of()));
        assertEquals(
                new TelemetryOptions(4, 120, Path.of("x"), true),
                TelemetryOptions.parse(List.of("--gpus", "4", "--help", "--seconds", "120", "--out", "x")));
    }

    @ParameterizedTest
    @CsvSource({
        "--gpus 0, '--gpus is ''0'', must be a whole number from 1 to 64.'",
        "--gpus eight, '--gpus is ''eight'', must be a whole number from 1 to 64.'",
        "--seconds 1, '--seconds is ''1'', must be a whole number from 10 to 3600.'",
        "--seconds 99999999999, '--seconds is ''99999999999'', must be a whole number from 10 to 3600.'",
        "--out, '--out has no value.\nMaybe see ''treadle bench telemetry --help''.'",
        "--seed 1, 'unknown argument ''--seed'', must be one of --gpus, --seconds, --out, --help.\nMaybe see ''treadle"
                + " bench telemetry --help''.'"
    })
    void whatIsWrongIsNamed(String arguments, String message) {
        DemoException said =
                assertThrows(DemoException.class, () -> TelemetryOptions.parse(List.of(arguments.split(" "))));
        assertEquals(message, said.getMessage());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.treadle.demo.DemoException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiveOptionsTest {
    @Test
    void options() {
        assertEquals(
                new LiveOptions(Path.of("out/bench-synergy-live"), false, false),
                LiveOptions.parse(List.of("--live"), "synergy"));
        assertEquals(
                Path.of("out/bench-powerflow-live"),
                LiveOptions.parse(List.of("--live"), "powerflow").out());
        assertEquals(
                new LiveOptions(Path.of("x"), true, true),
                LiveOptions.parse(List.of("--quick", "--live", "--out", "x", "--help"), "synergy"));
    }

    @ParameterizedTest
    @CsvSource({
        "--seed, 'unknown argument ''--seed'', with --live it must be one of --out, --quick, --help.'",
        "--out, '--out has no value.\nMaybe see ''treadle bench synergy --live --help''.'"
    })
    void whatIsWrongIsNamed(String argument, String message) {
        DemoException said =
                assertThrows(DemoException.class, () -> LiveOptions.parse(List.of("--live", argument), "synergy"));
        assertEquals(message, said.getMessage());
    }
}

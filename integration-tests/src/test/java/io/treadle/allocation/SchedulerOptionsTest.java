// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.treadle.demo.DemoException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchedulerOptionsTest {
    @Test
    void options() {
        assertEquals(
                new SchedulerOptions(List.of(2000, 10_000), 21, Path.of("out/bench-scheduler"), false),
                SchedulerOptions.parse(List.of()));
        assertEquals(
                new SchedulerOptions(List.of(100, 500), 5, Path.of("x"), true),
                SchedulerOptions.parse(List.of("--nodes", "500,100,500", "--help", "--windows", "5", "--out", "x")));
    }

    @ParameterizedTest
    @CsvSource({
        "--nodes 49, '--nodes is ''49'', must be a whole number from 50 to 20000.'",
        "'--nodes 100,', '--nodes is '''', must be a whole number from 50 to 20000.'",
        "--windows 2, '--windows is ''2'', must be a whole number from 3 to 99.'",
        "--out, '--out has no value.\nMaybe see ''treadle bench scheduler --help''.'",
        "--gangs 1, 'unknown argument ''--gangs'', must be one of --nodes, --windows, --out, --help.\nMaybe see ''treadle"
                + " bench scheduler --help''.'"
    })
    void whatIsWrongIsNamed(String arguments, String message) {
        DemoException said =
                assertThrows(DemoException.class, () -> SchedulerOptions.parse(List.of(arguments.split(" "))));
        assertEquals(message, said.getMessage());
    }
}

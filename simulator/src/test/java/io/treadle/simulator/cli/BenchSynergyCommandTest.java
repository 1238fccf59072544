// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the command says to values that it cannot use. */
class BenchSynergyCommandTest {
    private final StringWriter said = new StringWriter();

    private int bench(String... more) {
        List<String> arguments = new ArrayList<>(List.of("bench", "synergy"));
        arguments.addAll(List.of(more));
        PrintWriter writer = new PrintWriter(said, true);
        return SimulatorMain.run(writer, writer, arguments.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({
        "--seeds, 1, '--seeds is ''1'', must be from 2 to 1000.'",
        "--seeds, 1001, '--seeds is ''1001'', must be from 2 to 1000.'",
        "--seeds, many, many",
        "--seed, -1, '--seed is ''-1'', must be from 0 to 2147482647.'",
        "--seed, 2147482648, '--seed is ''2147482648'', must be from 0 to 2147482647.'",
        "--parallel, 0, '--parallel is ''0'', must be from 1 to 1024.'",
        "--load, 9, --load"
    })
    void saysWhatIsWrong(String option, String value, String expected, @TempDir Path directory) {
        Path out = directory.resolve("out");
        assertEquals(2, bench("--quick", "--out", out.toString(), option, value));
        assertTrue(said.toString().contains(expected), said::toString);
        assertTrue(Files.notExists(out));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bench synergy --bogus | Unknown option: '--bogus' | treadle bench synergy --help",
                "bench synergie --quick | unknown command 'treadle bench synergie', must be one of: simulator, synergy, powerflow, smd, compass. |"
                        + " treadle bench --help",
                "bench | 'treadle bench' needs the name of a bench, must be one of: simulator, synergy, powerflow, smd, compass. | treadle bench"
                        + " --help",
                "bench --bogus | Unknown option: '--bogus' | treadle bench --help",
                "simulate | Missing required options: | treadle simulate --help"
            })
    void namesTheCommandWithThoseAboveIt(String arguments, String wrong, String help) {
        PrintWriter writer = new PrintWriter(said, true);
        assertEquals(2, SimulatorMain.run(writer, writer, arguments.split(" ")));
        assertTrue(said.toString().contains("treadle: " + wrong), said::toString);
        assertTrue(said.toString().contains("Maybe see '" + help + "'."), said::toString);
    }

    @Test
    void outMustBeADirectory(@TempDir Path directory) throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertEquals(2, bench("--quick", "--out", file.toString()));
        assertTrue(said.toString().contains(file.toString()), said::toString);
    }

    @Test
    void helpNamesTheFiles() {
        assertEquals(0, bench("--help"));
        for (String word : List.of("--seeds", "--quick", "summary.json", "bench.html", "artifact")) {
            assertTrue(said.toString().contains(word), () -> word + " is not in " + said);
        }
    }
}

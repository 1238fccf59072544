// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever is thrown at the parser, it answers with a specification or with its own exception. */
class JobSpecFuzzTest {
    private static final int ROUNDS = 4_000;
    private static final List<String> PIECES = List.of(
            "tasks:",
            "worker:",
            "command: x",
            "count: 2",
            "min: 1",
            "memory: 4Gi",
            "env: {A: b}",
            "name: n",
            "\n",
            "\n  ",
            "\n    ",
            "\t",
            ": ",
            "- ",
            "[",
            "]",
            "{",
            "}",
            "&a ",
            "*a",
            "<<: *a",
            "!!int ",
            "!x ",
            "? ",
            "|\n",
            ">\n",
            "'",
            "\"",
            "\\",
            "#",
            "---",
            "...",
            "%YAML 1.1\n",
            "%",
            "@",
            "`",
            "\u0000",
            "\uFEFF",
            "é",
            "\uD83D",
            "~",
            "null",
            "true",
            ".inf",
            ".nan",
            "0x1F",
            "1:30",
            "-1",
            "99999999999999999999",
            "2026-01-01",
            "files: [a]",
            "archives: [a.zip]",
            "gpusPerWorker: 1",
            "gpuMemory: 1Gi",
            "power: 3kW",
            "elastic: true",
            "profiling: {}");
    private static final String GOOD =
            """
            name: fuzz
            env: {A: "b", C: d}
            files: [a, b#c]
            appMaster: {vcores: 1, memory: 1Gi}
            tasks:
              worker: {count: 3, min: 2, gpusPerWorker: 1, gpuModel: [A, B], vcores: 2, memory: 4Gi, command: 'x y'}
              other: {count: 1, gpuMemory: 2Gi, power: 10, storageBandwidth: 3MB/s, command: [a, "b c"], env: {K: v}}
            """;

    @Test
    void randomTextNeverEscapes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            check(seed, round % 2 == 0 ? pieces(random) : mutated(random));
        }
    }

    @Test
    void randomBytesNeverEscape() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS / 10; round++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            check(seed, new String(bytes, StandardCharsets.ISO_8859_1));
            check(seed, new String(bytes, StandardCharsets.UTF_8));
        }
    }

    private static String pieces(Random random) {
        StringBuilder text = new StringBuilder();
        int count = 1 + random.nextInt(20);
        for (int i = 0; i < count; i++) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return text.toString();
    }

    private static String mutated(Random random) {
        StringBuilder text = new StringBuilder(GOOD);
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(3)) {
                case 0 -> text.deleteCharAt(at);
                case 1 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
                default -> text.setCharAt(at, (char) (32 + random.nextInt(95)));
            }
        }
        return text.toString();
    }

    private static void check(long seed, String text) {
        try {
            JobSpec spec = JobSpecParser.fromYaml("fuzz.yaml", text);
            assertEquals(spec, JobSpecParser.fromJson(JobSpecParser.toJson(spec)), () -> "seed " + seed + ": " + text);
        } catch (JobSpecException e) {
            assertTrue(e.getMessage().startsWith("fuzz.yaml:"), () -> "seed " + seed + ": " + e.getMessage());
        } catch (RuntimeException | StackOverflowError e) {
            fail("seed " + seed + " escapes with: " + text, e);
        }
    }
}

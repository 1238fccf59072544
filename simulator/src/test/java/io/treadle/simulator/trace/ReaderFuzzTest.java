// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that are broken at random become jobs or nodes, or an error for people; never another exception, never a hang.
 * {@code -Dtreadle.fuzz.seconds=600} looks longer, {@code -Dtreadle.fuzz.seed=N} starts with that file.
 */
class ReaderFuzzTest {
    private static final Duration LONGEST_READ = Duration.ofMinutes(2);
    private static final List<String> WORDS = List.of(
            "-1",
            "0",
            "1e9",
            "1e400",
            "9999999999999999999",
            "NaN",
            "None",
            "\"",
            "'",
            "|",
            "\t",
            ",",
            ",,",
            "#",
            ";",
            "[",
            "{",
            "}",
            "]",
            ":",
            "- ",
            "&a ",
            "*a",
            "!!int ",
            "null",
            "2023-13-45",
            "-999999999-01-01 00:00:00",
            "+18:00",
            "\u0000",
            "\uFEFF",
            "é",
            "\r",
            "\n",
            "\r\n",
            "gpu:",
            "gres/gpu=",
            "999999999",
            "1000000");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @Test
    void neverAnythingButJobsOrAnInputException() throws IOException {
        long seed = Long.getLong("treadle.fuzz.seed", 1);
        long end = System.nanoTime() + Long.getLong("treadle.fuzz.seconds", 4) * 1_000_000_000L;
        List<Path> traces = files(Fixtures.trace("treadle.csv"));
        List<Path> clusters = files(Fixtures.cluster("own.yaml"));
        SimCluster nodes = Fixtures.eights();
        SimCluster cards =
                ClusterReader.read(Fixtures.cluster("openb_nodes.csv").toString());
        Files.copy(
                Fixtures.trace("gavel_isolated_throughputs.csv"), directory.resolve("gavel_isolated_throughputs.csv"));
        Files.copy(Fixtures.cluster("iblinkinfo.txt"), directory.resolve("iblinkinfo.txt"));
        Path file = directory.resolve("mutant");
        for (; System.nanoTime() < end; seed++) {
            Random random = new Random(seed);
            boolean trace = random.nextInt(3) > 0;
            List<Path> all = trace ? traces : clusters;
            Path original = all.get(random.nextInt(all.size()));
            Files.write(file, mutant(Files.readAllBytes(original), random));
            String format = random.nextBoolean() ? "auto" : anyFormat(random);
            SimCluster cluster = random.nextBoolean() ? nodes : cards;
            boolean skip = random.nextBoolean();
            try {
                assertTimeoutPreemptively(LONGEST_READ, () -> {
                    if (trace) {
                        Traces.read(format, file, cluster, skip);
                    } else {
                        ClusterReader.read(file.toString());
                    }
                });
            } catch (InputException expected) {
                // It says what is wrong.
            } catch (Throwable e) {
                throw new AssertionError(
                        "-Dtreadle.fuzz.seed=" + seed + ": " + original.getFileName() + " as " + format, e);
            }
        }
    }

    private static String anyFormat(Random random) {
        String[] formats = Traces.formats().split(", ");
        return formats[random.nextInt(formats.length)];
    }

    private static List<Path> files(Path one) throws IOException {
        try (Stream<Path> all = Files.list(one.resolveSibling("."))) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static byte[] mutant(byte[] original, Random random) {
        byte[] bytes = original;
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            bytes = random.nextInt(3) == 0 ? rows(bytes, random) : inPlace(bytes, random);
        }
        return bytes;
    }

    private static byte[] rows(byte[] bytes, Random random) {
        List<String> rows = new ArrayList<>(
                new String(bytes, StandardCharsets.ISO_8859_1).lines().toList());
        if (rows.isEmpty()) {
            return bytes;
        }
        switch (random.nextInt(4)) {
            case 0 -> rows.remove(random.nextInt(rows.size()));
            case 1 -> rows.add(random.nextInt(rows.size()), rows.get(random.nextInt(rows.size())));
            case 2 -> Collections.swap(rows, random.nextInt(rows.size()), random.nextInt(rows.size()));
            default -> rows.addAll(Collections.nCopies(50, rows.get(random.nextInt(rows.size()))));
        }
        return String.join("\n", rows).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] inPlace(byte[] bytes, Random random) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int at = random.nextInt(text.length() + 1);
        int until = Math.min(text.length(), at + random.nextInt(6));
        String word = random.nextBoolean()
                ? WORDS.get(random.nextInt(WORDS.size()))
                : String.valueOf((char) random.nextInt(256));
        return switch (random.nextInt(4)) {
            case 0 -> text.substring(0, at).getBytes(StandardCharsets.ISO_8859_1);
            case 1 -> (text.substring(0, at) + text.substring(until)).getBytes(StandardCharsets.ISO_8859_1);
            default -> (text.substring(0, at) + word + text.substring(until)).getBytes(StandardCharsets.ISO_8859_1);
        };
    }
}

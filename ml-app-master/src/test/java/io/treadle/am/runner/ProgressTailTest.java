// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.protocol.ReportMessage;
import io.treadle.core.wire.DataReport;
import io.treadle.core.wire.ProgressLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgressTailTest {
    private static final double NOW = 2_000;

    private final Path file;
    private final ProgressTail tail;

    ProgressTailTest(@TempDir Path directory) {
        file = directory.resolve("progress.jsonl");
        tail = new ProgressTail(file);
    }

    private void append(String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static String line(double ts, long samples) {
        return "{\"ts\":" + ts + ",\"step\":" + samples + ",\"samples\":" + samples + "}\n";
    }

    private long samples() {
        tail.poll(NOW);
        return tail.last().map(ProgressLine::samples).orElse(-1L);
    }

    @Test
    void missingFileIsNoProblem() {
        assertEquals(-1, samples());
        assertTrue(tail.problems().isEmpty());
    }

    @Test
    void whatIsNewIsTakenOnceAndOfMuchSome() throws IOException {
        append(line(1, 5) + line(2, 9));
        tail.poll(NOW);
        assertEquals(
                List.of(5L, 9L),
                tail.takeFresh().stream().map(ProgressLine::samples).toList());
        assertEquals(List.of(), tail.takeFresh());

        StringBuilder many = new StringBuilder();
        for (int i = 1; i <= 100; i++) {
            many.append(line(2 + i, 9 + i));
        }
        append(many.toString());
        tail.poll(NOW);
        List<Long> some = tail.takeFresh().stream().map(ProgressLine::samples).toList();
        assertTrue(some.size() <= ReportMessage.MOST_READINGS && some.size() >= 16, some.toString());
        assertEquals(109, some.get(some.size() - 1));
        assertEquals(some.stream().sorted().distinct().toList(), some);
    }

    @Test
    void followsAppendedLinesAndWaitsForTheirEnd() throws IOException {
        append(line(1, 5));
        assertEquals(5, samples());
        append("{\"ts\":2,\"step\":1,\"samp");
        assertEquals(5, samples());
        append("les\":9}\n");
        assertEquals(9, samples());
        assertTrue(tail.problems().isEmpty());
    }

    @Test
    void countsThatNoSumCouldHoldAreMalformed() throws IOException {
        append(line(1, 5));
        append(line(2, Long.MAX_VALUE));
        assertEquals(5, samples());
        assertEquals(Map.of("malformed", 1L), tail.problems());
    }

    /** Else every true count after it would go back, and the job would stand still for good. */
    @Test
    void oneImpossiblyFastLineDoesNotHideTheTrueOnesAfterIt() throws IOException {
        append(line(1, 5) + line(2, 900_000_000_000_000L) + line(3, 15));
        assertEquals(15, samples());
        append(line(3, 900_000_015L));
        assertEquals(900_000_015L, samples(), "several lines may be of one moment");
        append(line(103, 90_900_000_015L));
        assertEquals(90_900_000_015L, samples(), "9e8 a second");
        assertEquals(Map.of("impossibly fast", 1L), tail.problems());
    }

    @Test
    void countsWhatIsWrongAndGoesOn() throws IOException {
        append("epoch 1: loss 0.3\n" + line(3, 10) + line(4, 7) + line(2, 20) + line(NOW + 100, 30) + "\n"
                + line(5, 11));
        assertEquals(11, samples());
        assertEquals(Map.of("malformed", 1L, "goes back", 2L, "in the future", 1L), tail.problems());
    }

    @Test
    void dataThatCannotBeIsLeftOutAndTheRestOfItsLineHolds() throws IOException {
        append(data(1, "\"bytes\":100,\"samples\":10,\"hitRate\":0.5,\"diskMBps\":130"));
        assertEquals(1, samples());
        DataReport said = tail.data().orElseThrow();
        assertEquals(new DataReport(100, 10, 0, 0, OptionalDouble.of(0.5), 0, 0, 130), said);
        String[] impossible = {
            "\"bytes\":-1,\"samples\":10",
            "\"bytes\":100",
            "\"bytes\":100,\"samples\":10,\"hitRate\":1.01",
            "\"bytes\":100,\"samples\":10,\"cachedBytes\":101",
            "\"bytes\":100,\"samples\":10,\"diskMBps\":1e10",
            "\"bytes\":100,\"samples\":10,\"memoryMBps\":-3",
            "\"bytes\":1e18,\"samples\":10",
            "\"bytes\":\"many\",\"samples\":10"
        };
        for (int i = 0; i < impossible.length; i++) {
            append(data(i + 2, impossible[i]));
            assertEquals(i + 2, samples(), impossible[i]);
            assertEquals(said, tail.data().orElseThrow(), impossible[i]);
        }
        append("{\"ts\":50,\"step\":1,\"samples\":50,\"data\":7}\n");
        assertEquals(50, samples());
        assertEquals(Map.of("impossible data", impossible.length + 1L), tail.problems());
        append("{\"ts\":51,\"step\":1,\"samples\":51,\"data\":{\"bytes\":1,\"samples\":1,\"hitRate\":NaN}}\n");
        assertEquals(50, samples(), "NaN is no JSON");
        append(line(52, 60));
        assertEquals(60, samples());
        assertEquals(said, tail.data().orElseThrow(), "a line without data says nothing new of it");
    }

    private static String data(long samples, String data) {
        return "{\"ts\":" + samples + ",\"step\":1,\"samples\":" + samples + ",\"data\":{" + data + "}}\n";
    }

    @Test
    void anotherFileOfTheSameNameIsReadFromItsStart() throws IOException {
        append(line(1, 5) + line(2, 6));
        assertEquals(6, samples());
        Files.writeString(file, line(3, 7));
        assertEquals(7, samples());
        assertEquals(Map.of("truncated", 1L), tail.problems());
    }

    @Test
    void hugeLinesAreSkipped() throws IOException {
        append(line(1, 5) + "x".repeat(3 * ProgressTail.MAX_LINE_BYTES) + "\n" + line(2, 6));
        assertEquals(6, samples());
        assertEquals(Map.of("line too long", 1L), tail.problems());
    }

    @Test
    void aFloodTakesABoundedEffortAndItsEndCounts() throws IOException {
        StringBuilder flood = new StringBuilder();
        for (int i = 1; i <= 100_000; i++) {
            flood.append(line(i / 100.0, i));
        }
        append(flood.toString());
        assertTrue(flood.length() > ProgressTail.MAX_BACKLOG_BYTES);
        assertEquals(100_000, samples());
        assertTrue(tail.problems().containsKey("too fast"), tail.problems().toString());
    }

    @Test
    void answersAreFoundInAFlood() throws IOException {
        StringBuilder flood = new StringBuilder();
        flood.append("{\"ts\":1,\"step\":1,\"samples\":1,\"checkpoint\":\"ck-1\",\"commandEpoch\":4}\n");
        for (int i = 1; i <= 1000; i++) {
            flood.append(line(2 + i / 100.0, i));
        }
        append(flood.toString());
        assertEquals(1000, samples());
        assertEquals("ck-1", tail.checkpoint());
        assertEquals(4, tail.answeredEpoch());
    }

    @Test
    void theBatchIsThatOfAnswersAndOtherwiseOneThatStays() throws IOException {
        append(batch(1, "\"batchSize\":64,\"passes\":1"));
        tail.poll(NOW);
        append(batch(2, "\"batchSize\":17") + batch(3, "\"batchSize\":17") + batch(4, "\"batchSize\":64"));
        tail.poll(NOW);
        assertEquals(64, tail.batch().size(), "the rest of an epoch");
        append(batch(5, "\"batchSize\":16,\"passes\":4,\"commandEpoch\":9"));
        tail.poll(NOW);
        assertEquals(16, tail.batch().size());
        assertEquals(4, tail.batch().passes());
        append(batch(6, "\"batchSize\":16,\"passes\":4,\"commandEpoch\":10,\"refused\":\"" + "x".repeat(300) + "\""));
        tail.poll(NOW);
        assertEquals(200, tail.batch().refused().length());
        append(batch(7, "\"batchSize\":32,\"passes\":2").repeat(3));
        tail.poll(NOW);
        assertEquals(32, tail.batch().size(), "what the job has chosen by itself");
        assertEquals(2, tail.batch().passes());
        append(batch(8, "\"commandEpoch\":11"));
        tail.poll(NOW);
        assertEquals("", tail.batch().refused());
        assertEquals(11, tail.answeredEpoch());
        assertTrue(tail.problems().isEmpty());
    }

    private static String batch(long samples, String fields) {
        return "{\"ts\":" + samples + ",\"step\":1,\"samples\":" + samples + "," + fields + "}\n";
    }

    @Test
    void nothingThatAFileHoldsStopsTheTail() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        String[] pieces = {
            "{",
            "}",
            "\"",
            "\n",
            "\\",
            "\u0000",
            "[1,2",
            "{\"ts\":1}\n",
            "{\"samples\":-5,\"step\":0,\"ts\":0}\n",
            "{\"ts\":1e400,\"step\":1,\"samples\":1}\n",
            "{\"ts\":\"x\",\"step\":null,\"samples\":{}}\n",
            "[".repeat(5000),
            "{\"ts\":1,\"step\":99999999999999999999,\"samples\":1}\n",
            "\r\n",
            "é\uD83D",
            line(10, 3)
        };
        for (int round = 0; round < 400; round++) {
            StringBuilder text = new StringBuilder();
            int count = random.nextInt(40);
            for (int i = 0; i < count; i++) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            byte[] noise = new byte[random.nextInt(200)];
            random.nextBytes(noise);
            Files.write(
                    file,
                    text.toString().getBytes(StandardCharsets.UTF_8),
                    StandardOpenOption.CREATE,
                    random.nextInt(10) == 0 ? StandardOpenOption.TRUNCATE_EXISTING : StandardOpenOption.APPEND);
            Files.write(file, noise, StandardOpenOption.APPEND);
            tail.poll(NOW);
        }
        append("\n" + line(100, 1_000));
        for (int i = 0; i < 20; i++) {
            tail.poll(NOW);
        }
        assertEquals(1_000, samples(), "seed " + seed + ", problems " + tail.problems());
    }
}

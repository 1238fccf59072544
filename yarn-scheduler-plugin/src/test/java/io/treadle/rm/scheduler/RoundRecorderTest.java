// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.plan.Plan;
import io.treadle.core.record.SnapshotRecord;
import io.treadle.core.resource.ResourceVector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.log4j.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoundRecorderTest {
    private static final String POLICY = "fifo+proportional";
    private static final Plan NOTHING = new Plan(List.of());

    private final Path directory;

    RoundRecorderTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private static Snapshot snapshot(String queue, long nowMs) {
        return new Snapshot(
                nowMs,
                List.of(),
                new QueueView(queue, ResourceVector.of(1, 1, 1), ResourceVector.ZERO),
                List.of(),
                false);
    }

    private static void record(RoundRecorder recorder, String queue, String partition, long nowMs) {
        recorder.record(partition, POLICY, snapshot(queue, nowMs), NOTHING);
    }

    /** By file, the moments of its rounds. */
    private Map<String, List<Long>> recorded() throws IOException {
        TreeMap<String, List<Long>> recorded = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                recorded.put(
                        file.getFileName().toString(),
                        Files.readAllLines(file).stream()
                                .map(line -> SnapshotRecord.fromJson("line", line)
                                        .snapshot()
                                        .nowMs())
                                .toList());
            }
        }
        return recorded;
    }

    @Test
    void eachPartitionOfAQueueHasItsFile() throws IOException {
        RoundRecorder recorder = new RoundRecorder(directory.toString());
        record(recorder, "root.ml", "", 1);
        record(recorder, "root.ml", "fast", 2);
        record(recorder, "root.ml", "", 3);
        record(recorder, "root.ml@fast", "", 4);
        assertEquals(
                new TreeMap<>(Map.of(
                        "root.ml.jsonl", List.of(1L, 3L),
                        "root.ml@fast.jsonl", List.of(2L),
                        "root.ml%40fast.jsonl", List.of(4L))),
                recorded());
    }

    /** Not all of them are names of files, least of all where the locale is plain C. */
    @Test
    void queuesOfAnyNameAreRecordedInTheDirectory() throws IOException {
        RoundRecorder recorder = new RoundRecorder(directory.toString());
        try (LogLines log = new LogLines(RoundRecorder.class.getName(), Level.WARN)) {
            record(recorder, "root.../../up", "", 1);
            record(recorder, "root.für\0alle", "", 2);
            assertEquals(List.of(), log.lines());
        }
        assertEquals(
                new TreeMap<>(
                        Map.of("root...%2F..%2Fup.jsonl", List.of(1L), "root.f%C3%BCr%00alle.jsonl", List.of(2L))),
                recorded());
    }

    @Test
    void whatCannotBeWrittenIsSaidOnceAndHurtsNobody() throws IOException {
        RoundRecorder recorder = new RoundRecorder(directory.toString());
        try (LogLines log = new LogLines(RoundRecorder.class.getName(), Level.WARN)) {
            String tooLong = "root." + "q".repeat(300);
            record(recorder, tooLong, "fast", 1);
            record(recorder, tooLong, "fast", 2);
            record(recorder, "root.ml", "", 3);
            assertEquals(1, log.lines().size(), () -> log.lines().toString());
            String line = log.lines().get(0);
            String expected = "Rounds of queue '" + tooLong + "' on nodes of label 'fast' are not recorded:"
                    + " yarn.scheduler.treadle.record-dir names '" + directory + "': ";
            assertTrue(line.startsWith(expected), line);
        }
        assertEquals(new TreeMap<>(Map.of("root.ml.jsonl", List.of(3L))), recorded());
    }

    @Test
    void aDirectoryThatNoneCanBeCalledIsNoFault() {
        RoundRecorder recorder = new RoundRecorder(directory + "/\0");
        try (LogLines log = new LogLines(RoundRecorder.class.getName(), Level.WARN)) {
            record(recorder, "root.ml", "", 1);
            record(recorder, "root.ml", "", 2);
            assertEquals(1, log.lines().size(), () -> log.lines().toString());
            assertTrue(log.lines().get(0).contains("InvalidPathException"), () -> log.lines()
                    .toString());
        }
    }

    @Test
    void withoutADirectoryNothingIsWritten() throws IOException {
        record(new RoundRecorder(""), "root.ml", "", 1);
        assertEquals(new TreeMap<String, List<Long>>(), recorded());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.result.Summary;
import io.treadle.simulator.trace.TraceJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    private static final String BAD = "</script><b>\"it's\" & co";
    private static final List<TraceJob> JOBS = List.of(
            Logs.job("a", "prod", 0, 8, 1000), Logs.job(BAD, BAD, 0, 8, 500), Logs.job("c", "prod", 10, 8, 600));

    private final Path directory;

    ReportTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private void write(Path where, List<TraceJob> jobs) throws Exception {
        Files.createDirectories(where);
        List<Logs.Run> runs = List.of(Logs.run(2, "fifo", Compat.NONE, jobs), Logs.run(2, "srtf", Compat.NONE, jobs));
        Report report = new Report(
                where,
                new ReportSubject(
                        "trace <i>.csv", runs.get(0).cluster(), jobs, job -> true, "--preemption on", runs.size()));
        for (Logs.Run run : runs) {
            // Heap and clock differ between runs: the page must not know them.
            assertEquals(
                    List.of(), report.add(Summary.of(run.outcome(), System.nanoTime()), run.log()), "nothing to say");
        }
        report.write();
    }

    @Test
    void pageIsTheSameEachTimeAndNeedsNothingElse() throws Exception {
        write(directory.resolve("one"), JOBS);
        write(directory.resolve("two"), JOBS);
        String page = Files.readString(directory.resolve("one/report.html"));
        for (String name : List.of("report.html", "events-srtf.jsonl", "trace-srtf.json", "groups-srtf.csv")) {
            assertEquals(
                    -1,
                    Files.mismatch(
                            directory.resolve("one").resolve(name),
                            directory.resolve("two").resolve(name)));
        }
        for (String fetch : new String[] {"http://", "https://", "src=", "@import", "url(", "<link"}) {
            assertFalse(page.contains(fetch), fetch);
        }
        assertTrue(page.contains("default-src 'none'"));
        assertTrue(page.contains("prefers-color-scheme:dark"));
    }

    @Test
    void pageFromKeptRunsIsTheSame() throws Exception {
        List<TraceJob> jobs = Logs.random(9, 400);
        List<Logs.Run> runs = List.of(
                Logs.run(3, "fifo", Compat.NONE, jobs),
                Logs.run(3, "srtf", Compat.NONE, jobs),
                Logs.run(3, "las+proportional", Compat.SYNERGY, jobs));
        ReportSubject subject =
                new ReportSubject("trace.csv", runs.get(0).cluster(), jobs, job -> true, "", runs.size());
        Report first = new Report(directory, subject);
        Report again = new Report(directory, subject);
        KeptRuns kept = new KeptRuns(directory.resolve("kept"));
        for (Logs.Run run : runs) {
            first.add(Summary.of(run.outcome(), 1), run.log());
            kept.add(run.outcome().policy(), run.log());
        }
        first.write();
        byte[] page = Files.readAllBytes(directory.resolve("report.html"));
        Files.delete(directory.resolve("report.html"));
        for (Logs.Run run : runs) {
            RunLog log = new RunLog(run.cluster(), jobs);
            assertTrue(kept.find(run.outcome().policy(), log));
            again.add(Summary.of(run.outcome(), 1), log);
        }
        again.write();
        assertArrayEquals(page, Files.readAllBytes(directory.resolve("report.html")));
    }

    @Test
    void namesFromOutsideStayText() throws Exception {
        write(directory, JOBS);
        String page = Files.readString(directory.resolve("report.html"));
        assertFalse(page.contains("<b>\"it"));
        assertFalse(page.contains("<i>.csv"));
        assertTrue(page.contains("trace &lt;i&gt;.csv"));
        // Data, jobs, runs of two policies and the script: no name has ended one of them.
        assertEquals(5, page.split("</script>", -1).length - 1);
    }

    @Test
    void eventsTellWhatHappenedInOrder() throws Exception {
        write(directory, JOBS);
        List<String> told = new ArrayList<>();
        for (String line : Files.readAllLines(directory.resolve("events-srtf.jsonl"))) {
            JsonNode event = new ObjectMapper().readTree(line);
            told.add(event.path("seconds").asText() + " " + event.path("event").asText() + " "
                    + event.path("jobId").asText().charAt(0)
                    + (event.has("nodes") ? " " + event.path("nodes") : ""));
        }
        assertEquals(
                List.of(
                        "0 submit a",
                        "0 submit <",
                        "0 start < {\"n0\":{\"gpus\":[0,1,2,3,4,5,6,7]}}",
                        "0 start a {\"n1\":{\"gpus\":[0,1,2,3,4,5,6,7]}}",
                        "10 stop a",
                        "10 submit c",
                        "10 start c {\"n1\":{\"gpus\":[0,1,2,3,4,5,6,7]}}",
                        "500 end <",
                        "500 start a {\"n0\":{\"gpus\":[0,1,2,3,4,5,6,7]}}",
                        "610 end c",
                        "1490 end a"),
                told);
    }

    @Test
    void traceHasATrackForEachJob() throws Exception {
        write(directory, JOBS);
        JsonNode trace =
                new ObjectMapper().readTree(directory.resolve("trace-srtf.json").toFile());
        List<String> slices = new ArrayList<>();
        for (JsonNode event : trace.path("traceEvents")) {
            if (event.path("ph").asText().equals("X") && event.path("tid").asInt() == 1) {
                slices.add(event.path("name").asText() + " "
                        + event.path("ts").asLong() / 1_000_000 + " +"
                        + event.path("dur").asLong() / 1_000_000);
            }
        }
        assertEquals(List.of("running 0 +10", "waiting 10 +490", "running 500 +990"), slices);
    }

    @Test
    void manyJobsShareTracksOfGpusWithoutOverlap() throws Exception {
        List<TraceJob> jobs = Logs.random(5, TraceEventFile.MOST_JOB_TRACKS + 1);
        write(directory, jobs);
        JsonNode trace =
                new ObjectMapper().readTree(directory.resolve("trace-srtf.json").toFile());
        TreeMap<String, Long> endOf = new TreeMap<>();
        for (JsonNode event : trace.path("traceEvents")) {
            if (event.path("ph").asText().equals("X") && event.path("dur").asLong() > 0) {
                String track = event.path("pid") + "/" + event.path("tid");
                Long before = endOf.put(
                        track, event.path("ts").asLong() + event.path("dur").asLong());
                assertTrue(before == null || before <= event.path("ts").asLong(), track);
            }
        }
        assertEquals(16, endOf.size());
    }

    @Test
    void groupsHoldEachKnownKind() throws Exception {
        write(directory, JOBS);
        List<String> rows = Files.readAllLines(directory.resolve("groups-srtf.csv"));
        // Hand-made: a ends at 1,490 s after a wait of 490 s, the other at 500 s, c at 610 s after 600 s of running.
        assertTrue(rows.get(1).startsWith("all,all,3,3,4.667,863.333,600.000,1401.000,1472.200,"), rows.get(1));
        assertTrue(rows.get(1).contains(",1,1,0,0,0.000,"), rows.get(1));
        assertTrue(rows.stream().anyMatch(row -> row.startsWith("queue,prod,2,2,")), rows::toString);
        assertTrue(rows.stream().anyMatch(row -> row.startsWith("gpus,5–8,3,3,")), rows::toString);
        assertTrue(rows.stream().anyMatch(row -> row.startsWith("runTime,1–10 min,2,2,")), rows::toString);
        assertTrue(rows.stream().anyMatch(row -> row.startsWith("runTime,10 min – 1 h,1,1,")), rows::toString);
    }
}

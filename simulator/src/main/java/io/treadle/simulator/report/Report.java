// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.files.WholeFile;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.result.Summary;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Writes what people look at after a run: for each policy {@code events-<policy>.jsonl}, {@code trace-<policy>.json}
 * and {@code groups-<policy>.csv}, and at the end {@code report.html} for all of them.
 */
public final class Report {
    /** Characters of data that a page may hold: about what a browser opens at once from a disk. */
    private static final int MOST_CHARACTERS = 12_000_000;
    /** Jobs that a page may hold, about 10 characters each. */
    private static final int MOST_JOBS = 300_000;

    private static final long MOST_PLAIN_RUNS = 1_000_000;
    private static final long MOST_PLAIN_SLICES = 200_000;
    private static final long MOST_SLICES = 4_000_000;

    private final Path directory;
    private final ReportSubject subject;
    private final JobColumns jobs;
    private final String packedJobs;
    private final List<PolicyFigures> policies = new ArrayList<>();

    /** @param directory where the files go; it is there */
    public Report(Path directory, ReportSubject subject) {
        this.directory = directory;
        this.subject = subject;
        jobs = new JobColumns(subject.jobs(), MOST_JOBS);
        packedJobs = jobs.pack();
    }

    /**
     * Writes the files of one policy.
     *
     * @param log what happened under it
     * @return what people should know of the files, a line each
     * @throws InputException if a file cannot be written
     */
    public List<String> add(Summary summary, RunLog log) {
        Slots slots = Slots.of(log);
        JobTimes times = JobTimes.of(log);
        TimeSeries series = UsageSweep.of(log, PolicyFigures.STRETCHES);
        show(summary, log, slots, times, series);
        try {
            groups(summary.policy(), log, times);
            events(summary.policy(), log, slots);
            return trace(summary.policy(), log, slots, series);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private void show(Summary summary, RunLog log, Slots slots, JobTimes times, TimeSeries series) {
        int room = Math.max(1, MOST_CHARACTERS - packedJobs.length()) / subject.policies();
        RunColumns runs = RunColumns.of(log, slots, jobs, room);
        policies.add(PolicyFigures.of(summary, log, times, series, this::counts, runs));
    }

    private boolean counts(int job) {
        return subject.counts().test(subject.jobs().get(job));
    }

    private void groups(String policy, RunLog log, JobTimes times) throws IOException {
        List<Groups.Group> groups = Grouping.of(subject.jobs()).stream()
                .flatMap(grouping -> Groups.of(grouping, log, times, this::counts).stream())
                .toList();
        WholeFile.write(
                directory.resolve("groups-" + policy + ".csv"),
                out -> GroupsFile.write(new OutputStreamWriter(out, StandardCharsets.UTF_8), groups));
    }

    private void events(String policy, RunLog log, Slots slots) throws IOException {
        OutputFile.write(
                directory.resolve("events-" + policy + ".jsonl"),
                log.runs() > MOST_PLAIN_RUNS,
                out -> EventsFile.write(out, log, slots));
    }

    private List<String> trace(String policy, RunLog log, Slots slots, TimeSeries series) throws IOException {
        Path file = directory.resolve("trace-" + policy + ".json");
        long slices = TraceEventFile.slices(log, slots);
        if (slices > MOST_SLICES) {
            Files.deleteIfExists(file);
            Files.deleteIfExists(directory.resolve(file.getFileName() + ".gz"));
            return List.of(String.format(
                    Locale.ROOT,
                    "%s is left out: %,d slices are more than the %,d that Perfetto shows with ease",
                    file.getFileName(),
                    slices,
                    MOST_SLICES));
        }
        OutputFile.write(file, slices > MOST_PLAIN_SLICES, out -> TraceEventFile.write(out, log, slots, series));
        return List.of();
    }

    /**
     * Writes the page, with the policies in the order in which they were added.
     *
     * @throws InputException if it cannot be written
     */
    public void write() {
        String page = new ReportPage(subject, jobs, packedJobs, policies).html();
        try {
            WholeFile.write(directory.resolve("report.html"), out -> out.write(page.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private InputException failure(IOException e) {
        return new InputException("cannot write to " + directory + ": " + e.getMessage() + ".", e);
    }
}

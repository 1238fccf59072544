// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.treadle.simulator.trace.TraceJob;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Writes {@code trace-<policy>.json} in the trace-event format that {@code chrome://tracing} and ui.perfetto.dev read:
 * for few jobs a track for each with slices "waiting" and "running", for many a process for each node with a track for
 * each GPU; counters of GPUs in use and of jobs that run and wait in both. 1 µs there is 1 µs of simulated time.
 */
final class TraceEventFile {
    /** More tracks than that nobody scrolls through. */
    static final int MOST_JOB_TRACKS = 2000;

    private static final int COUNTERS = 1;
    private static final int JOBS = 2;
    /** Processes of nodes follow these. */
    private static final int FIRST_NODE = 10;

    private final RunLog log;
    private final Slots slots;
    private final JsonGenerator out;

    private TraceEventFile(RunLog log, Slots slots, JsonGenerator out) {
        this.log = log;
        this.slots = slots;
        this.out = out;
    }

    /** How many slices there would be. */
    static long slices(RunLog log, Slots slots) {
        if (log.jobs().size() <= MOST_JOB_TRACKS) {
            return 2L * log.runs();
        }
        long slices = 0;
        for (int piece = 0; piece < log.pieces(); piece++) {
            slices += slots.count(piece);
        }
        return slices;
    }

    static void write(OutputStream to, RunLog log, Slots slots, TimeSeries series) throws IOException {
        try (JsonGenerator out = new JsonFactory().createGenerator(to)) {
            TraceEventFile file = new TraceEventFile(log, slots, out);
            out.writeStartObject();
            out.writeStringField("displayTimeUnit", "ms");
            out.writeArrayFieldStart("traceEvents");
            file.counters(series);
            if (log.jobs().size() <= MOST_JOB_TRACKS) {
                file.jobTracks();
            } else {
                file.nodeTracks();
            }
            out.writeEndArray();
            out.writeEndObject();
            out.writeRaw('\n');
        }
    }

    private void counters(TimeSeries series) throws IOException {
        name("process_name", COUNTERS, 0, "cluster");
        long zeroMs = log.jobs().get(0).submitMs();
        for (int i = 0; i < series.stretches(); i++) {
            long atMs = zeroMs + Math.round(i * series.stretchSeconds() * 1000);
            counter("GPUs in use", atMs, series.usedGpus()[i]);
            counter("jobs running", atMs, series.running()[i]);
            counter("jobs waiting", atMs, series.pending()[i]);
        }
    }

    private void counter(String name, long atMs, double value) throws IOException {
        begin("C", name, COUNTERS, 0, atMs);
        out.writeObjectFieldStart("args");
        out.writeNumberField("value", Math.round(value * 1000) / 1000.0);
        out.writeEndObject();
        out.writeEndObject();
    }

    private void jobTracks() throws IOException {
        name("process_name", JOBS, 0, "jobs");
        long[] waitsSince = new long[log.came()];
        for (int job = 0; job < log.came(); job++) {
            name("thread_name", JOBS, job + 1, log.jobs().get(job).id());
            waitsSince[job] = log.jobs().get(job).submitMs();
        }
        for (int run = 0; run < log.runs(); run++) {
            int job = log.job(run);
            waiting(job, waitsSince[job], log.fromMs(run));
            waitsSince[job] = toMs(run);
            begin("X", "running", JOBS, job + 1, log.fromMs(run));
            placed(run);
            moved(run, JOBS, job + 1);
        }
        for (int job = 0; job < log.came(); job++) {
            if (log.endMs(job) == RunLog.NEVER && !log.isLeftOut(job)) {
                waiting(job, waitsSince[job], log.lastMs());
            }
        }
    }

    /** A run that began by a move is marked at its start. */
    private void moved(int run, int process, int track) throws IOException {
        if (log.movedFrom(run) >= 0) {
            begin("i", "migrate", process, track, log.fromMs(run));
            out.writeStringField("s", "t");
            out.writeObjectFieldStart("args");
            out.writeStringField("job", log.jobs().get(log.job(run)).id());
            out.writeFieldName("from");
            Placements.write(out, log, slots, log.movedFrom(run));
            out.writeFieldName("nodes");
            Placements.write(out, log, slots, run);
            out.writeEndObject();
            out.writeEndObject();
        }
    }

    private void waiting(int job, long fromMs, long toMs) throws IOException {
        if (toMs > fromMs) {
            begin("X", "waiting", JOBS, job + 1, fromMs);
            out.writeNumberField("dur", (toMs - fromMs) * 1000);
            out.writeObjectFieldStart("args");
            out.writeStringField("queue", log.jobs().get(job).queue());
            out.writeEndObject();
            out.writeEndObject();
        }
    }

    private void nodeTracks() throws IOException {
        boolean[] isNamed = new boolean[log.nodes().cells()];
        boolean[] isNodeNamed = new boolean[log.nodes().size()];
        Arrays.fill(isNamed, false);
        for (int run = 0; run < log.runs(); run++) {
            for (int piece = log.firstPiece(run); piece < log.endPiece(run); piece++) {
                int node = log.node(piece);
                for (int i = 0; i < slots.count(piece); i++) {
                    int slot = slots.slot(piece, i);
                    int cell = log.nodes().firstCell(node) + slot;
                    if (!isNodeNamed[node]) {
                        name("process_name", FIRST_NODE + node, 0, log.nodes().name(node));
                        isNodeNamed[node] = true;
                    }
                    if (!isNamed[cell]) {
                        name("thread_name", FIRST_NODE + node, slot + 1, "GPU " + slot);
                        isNamed[cell] = true;
                    }
                    begin("X", log.jobs().get(log.job(run)).id(), FIRST_NODE + node, slot + 1, log.fromMs(run));
                    placed(run);
                    if (piece == log.firstPiece(run) && i == 0) {
                        moved(run, FIRST_NODE + node, slot + 1);
                    }
                }
            }
        }
    }

    private long toMs(int run) {
        return Math.min(log.toMs(run), log.lastMs());
    }

    /** The rest of a slice of a run. */
    private void placed(int run) throws IOException {
        TraceJob job = log.jobs().get(log.job(run));
        out.writeNumberField("dur", (toMs(run) - log.fromMs(run)) * 1000);
        out.writeObjectFieldStart("args");
        out.writeStringField("job", job.id());
        out.writeStringField("queue", job.queue());
        out.writeNumberField("gpus", job.gpus());
        out.writeFieldName("nodes");
        Placements.write(out, log, slots, run);
        out.writeEndObject();
        out.writeEndObject();
    }

    private void begin(String phase, String name, int process, int track, long atMs) throws IOException {
        out.writeStartObject();
        out.writeStringField("ph", phase);
        out.writeStringField("name", name);
        out.writeNumberField("pid", process);
        out.writeNumberField("tid", track);
        out.writeNumberField("ts", atMs * 1000);
    }

    private void name(String kind, int process, int track, String name) throws IOException {
        out.writeStartObject();
        out.writeStringField("ph", "M");
        out.writeStringField("name", kind);
        out.writeNumberField("pid", process);
        out.writeNumberField("tid", track);
        out.writeObjectFieldStart("args");
        out.writeStringField("name", name);
        out.writeEndObject();
        out.writeEndObject();
    }
}

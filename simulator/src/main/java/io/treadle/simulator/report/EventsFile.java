// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;
import java.io.OutputStream;

/** Writes {@code events-<policy>.jsonl}: one object a line for each thing that happened, in order of time. */
final class EventsFile implements Replay.Visitor {
    private final RunLog log;
    private final Slots slots;
    private final JsonGenerator out;
    private final boolean[] endedByMove;
    private long lines;

    private EventsFile(RunLog log, Slots slots, JsonGenerator out) {
        this.log = log;
        this.slots = slots;
        this.out = out;
        this.endedByMove = log.endedByMove();
    }

    /** @return how many lines */
    static long write(OutputStream to, RunLog log, Slots slots) throws IOException {
        try (JsonGenerator out = new JsonFactory().createGenerator(to)) {
            out.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
            EventsFile file = new EventsFile(log, slots, out);
            try {
                Replay.walk(log, file);
            } catch (WriteFailure e) {
                throw e.reason;
            }
            out.writeRaw('\n');
            return file.lines;
        }
    }

    /** Visitors throw nothing that is checked. */
    private static final class WriteFailure extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient IOException reason;

        WriteFailure(IOException reason) {
            super(reason);
            this.reason = reason;
        }
    }

    private interface Fields {
        void write() throws IOException;
    }

    private void line(long ms, String event, int job, Fields fields) {
        line(ms, event, () -> {
            out.writeStringField("jobId", log.jobs().get(job).id());
            fields.write();
        });
    }

    private void line(long ms, String event, Fields fields) {
        try {
            out.writeStartObject();
            Placements.writeSeconds(out, "seconds", ms);
            out.writeStringField("event", event);
            fields.write();
            out.writeEndObject();
            lines++;
        } catch (IOException e) {
            throw new WriteFailure(e);
        }
    }

    @Override
    public void came(int job, long ms) {
        line(ms, "submit", job, () -> {
            out.writeStringField("queue", log.jobs().get(job).queue());
            out.writeNumberField("gpus", log.jobs().get(job).gpus());
        });
        if (log.isLeftOut(job)) {
            line(ms, "leave-out", job, () -> {});
        }
    }

    @Override
    public void started(int run, long ms) {
        boolean moved = log.movedFrom(run) >= 0;
        line(ms, moved ? "migrate" : "start", log.job(run), () -> {
            if (moved) {
                out.writeFieldName("from");
                Placements.write(out, log, slots, log.movedFrom(run));
            }
            out.writeFieldName("nodes");
            Placements.write(out, log, slots, run);
        });
    }

    @Override
    public void stopped(int run, long ms) {
        if (endedByMove[run]) {
            return;
        }
        line(ms, ms == log.endMs(log.job(run)) ? "end" : "stop", log.job(run), () -> {
            if (log.isFailed(run)) {
                out.writeStringField("reason", "node-down");
            }
        });
    }

    @Override
    public void nodeChanged(int change, long ms) {
        line(
                ms,
                log.isDown(change) ? "node-down" : "node-up",
                () -> out.writeStringField("node", log.nodes().name(log.changedNode(change))));
    }
}

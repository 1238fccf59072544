// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import java.util.List;

/**
 * What a trace file holds.
 *
 * @param format the format that it was read as
 * @param workload its jobs in order of submission, those that came at once in the order of the file, and their cluster
 * @param notes what people should know about the jobs: how many were left out and why
 * @param skipped what was wrong with rows that were skipped, the first few; empty where there were none
 */
public record Trace(String format, Workload workload, List<String> notes, List<String> skipped) {
    public Trace {
        notes = List.copyOf(notes);
        skipped = List.copyOf(skipped);
    }

    public List<TraceJob> jobs() {
        return workload.jobs();
    }

    Trace with(Workload other) {
        return new Trace(format, other, notes, skipped);
    }
}

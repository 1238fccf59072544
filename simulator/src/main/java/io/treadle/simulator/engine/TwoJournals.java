// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.plan.TaskPlacement;
import java.util.List;

/** Tells two the same. */
record TwoJournals(Journal first, Journal second) implements Journal {
    @Override
    public void came(JobRun job, long nowMs) {
        first.came(job, nowMs);
        second.came(job, nowMs);
    }

    @Override
    public void started(JobRun job, long nowMs, List<TaskPlacement> tasks) {
        first.started(job, nowMs, tasks);
        second.started(job, nowMs, tasks);
    }

    @Override
    public void resized(JobRun job, long nowMs, List<TaskPlacement> tasks) {
        first.resized(job, nowMs, tasks);
        second.resized(job, nowMs, tasks);
    }

    @Override
    public void stopped(JobRun job, long nowMs) {
        first.stopped(job, nowMs);
        second.stopped(job, nowMs);
    }

    @Override
    public void failed(JobRun job, long nowMs) {
        first.failed(job, nowMs);
        second.failed(job, nowMs);
    }

    @Override
    public void nodeDown(String node, long nowMs) {
        first.nodeDown(node, nowMs);
        second.nodeDown(node, nowMs);
    }

    @Override
    public void nodeUp(String node, long nowMs) {
        first.nodeUp(node, nowMs);
        second.nodeUp(node, nowMs);
    }

    @Override
    public void returned(JobRun job, long nowMs) {
        first.returned(job, nowMs);
        second.returned(job, nowMs);
    }

    @Override
    public void ended(JobRun job, long nowMs) {
        first.ended(job, nowMs);
        second.ended(job, nowMs);
    }

    @Override
    public void leftOut(JobRun job, long nowMs) {
        first.leftOut(job, nowMs);
        second.leftOut(job, nowMs);
    }
}

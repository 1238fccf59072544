// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import io.treadle.cluster.ApplicationView;
import io.treadle.cluster.RunningContainer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.jspecify.annotations.Nullable;

/**
 * What is seen of one job while it runs: the last view and status, and what it held when. Only {@link #submitted} may
 * be called by another thread.
 */
public final class JobTrace {
    private static final int SPEEDS = 8;

    private final DemoJob job;
    private final String queue;
    private final String policy;
    private final Deque<Double> speeds = new ArrayDeque<>();
    private final List<DemoResult.Span> spans = new ArrayList<>();
    private volatile @Nullable ApplicationId id;
    private @Nullable ApplicationView view;
    private JobStatus status = JobStatus.UNKNOWN;
    private int firstVcores;
    private int lastVcores;
    private int mostTasks;
    private List<String> lastNodes = List.of();

    JobTrace(DemoJob job, String queue, String policy) {
        this.job = job;
        this.queue = queue;
        this.policy = policy;
    }

    public DemoJob job() {
        return job;
    }

    @Nullable
    ApplicationId id() {
        return id;
    }

    @Nullable
    public ApplicationView view() {
        return view;
    }

    JobStatus status() {
        return status;
    }

    void submitted(ApplicationId newId) {
        id = newId;
    }

    boolean ended() {
        return view != null && view.ended();
    }

    boolean succeeded() {
        return view != null && view.finalStatus() == FinalApplicationStatus.SUCCEEDED;
    }

    /** @param atSeconds since the run began */
    void saw(ApplicationView now, double atSeconds) {
        view = now;
        List<String> nodes = now.workers().stream()
                .map(RunningContainer::node)
                .distinct()
                .sorted()
                .toList();
        DemoResult.Span last = spans.isEmpty() ? null : spans.get(spans.size() - 1);
        boolean goesOn = false;
        if (last != null && last.toSeconds() < 0) {
            goesOn = last.vcores() == now.vcores()
                    && last.gpus() == now.gpus()
                    && last.nodes().equals(nodes);
            if (!goesOn) {
                endSpan(last, atSeconds);
            }
        }
        if (!goesOn && now.vcores() > 0) {
            spans.add(new DemoResult.Span(atSeconds, -1, now.vcores(), now.gpus(), nodes));
        }
        if (now.vcores() > 0) {
            firstVcores = firstVcores == 0 ? now.vcores() : firstVcores;
            lastVcores = now.vcores();
            lastNodes = nodes;
            mostTasks = Math.max(mostTasks, now.workers().size());
        }
    }

    private void endSpan(DemoResult.Span span, double atSeconds) {
        spans.set(
                spans.size() - 1,
                new DemoResult.Span(span.fromSeconds(), atSeconds, span.vcores(), span.gpus(), span.nodes()));
    }

    void heard(JobStatus now) {
        status = now;
        if (view != null && !view.workers().isEmpty()) {
            speeds.addLast(now.samplesPerSecond());
            if (speeds.size() > SPEEDS) {
                speeds.removeFirst();
            }
        }
    }

    JobRow row() {
        ApplicationView seen = view;
        int tasks = seen == null ? 0 : seen.workers().size();
        boolean over = ended();
        String state = state(seen, tasks);
        double done = over && succeeded() ? 1 : Math.min(1, (double) status.samples() / job.samples());
        return new JobRow(
                job.name(),
                (over ? mostTasks : tasks) + "/" + job.workers(),
                lastNodes,
                state,
                firstVcores,
                lastVcores,
                over ? List.of() : List.copyOf(speeds),
                done,
                note(state, seen));
    }

    private String state(@Nullable ApplicationView seen, int tasks) {
        if (seen == null) {
            return "arrives";
        }
        if (seen.ended()) {
            return succeeded() ? "done" : seen.state() == YarnApplicationState.KILLED ? "killed" : "failed";
        }
        if (tasks > 0) {
            return status.phase().equals("profiling") ? "profiling" : "running";
        }
        if (seen.state() != YarnApplicationState.RUNNING) {
            return "starting";
        }
        return mostTasks > 0 ? "ending" : "waiting";
    }

    private String note(String state, @Nullable ApplicationView seen) {
        return switch (state) {
            case "arrives" -> String.format(Locale.ROOT, "at %.0f s", job.arrivalSeconds());
            case "done" -> String.format(Locale.ROOT, "after %.1f s", jctSeconds());
            case "ending" -> "";
            case "waiting", "failed", "killed" ->
                seen == null ? "" : seen.diagnostics().lines().findFirst().orElse("");
            default -> status.note();
        };
    }

    private double jctSeconds() {
        return view == null ? 0 : (view.finishedMs() - view.submittedMs()) / 1000.0;
    }

    /** @param runBeganMs wall-clock time of the run's begin */
    DemoResult.Job result(double atSeconds, long runBeganMs) {
        ApplicationView seen = Objects.requireNonNull(view, "job " + job.name() + " was never submitted");
        if (!spans.isEmpty() && spans.get(spans.size() - 1).toSeconds() < 0) {
            endSpan(spans.get(spans.size() - 1), atSeconds);
        }
        return new DemoResult.Job(
                String.valueOf(id),
                job.name(),
                queue,
                policy,
                seen.finalStatus().name(),
                mostTasks + "/" + job.workers(),
                status.samples(),
                (seen.submittedMs() - runBeganMs) / 1000.0,
                jctSeconds(),
                status.cpuSeconds(),
                status.vcoreSeconds(),
                status.restarts(),
                status.profile(),
                status.resizes(),
                spans);
    }
}

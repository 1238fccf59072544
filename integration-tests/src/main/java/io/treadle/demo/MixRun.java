// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import io.treadle.cluster.ApplicationView;
import io.treadle.cluster.ApplicationViews;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Runs the mix once: submits each job when it is due, shows and records what happens until all have ended. */
public final class MixRun {
    private static final long TICK_MS = 250;
    private static final double LIMIT_SECONDS = 600;
    private static final double RECORD_SECONDS = 5;
    private static final int STATUS_EVERY = 4;

    private final ApplicationViews views;
    private final JobLauncher launcher;
    private final SpecSource specs;
    private final StatusReader statuses;
    private final Screen screen;

    public MixRun(
            ApplicationViews views, JobLauncher launcher, SpecSource specs, StatusReader statuses, Screen screen) {
        this.views = views;
        this.launcher = launcher;
        this.specs = specs;
        this.statuses = statuses;
        this.screen = screen;
    }

    /**
     * @param profiled whether jobs measure their speed over vcores
     * @throws DemoException if a job is refused, or the run takes far too long
     */
    List<DemoResult.Job> run(List<DemoJob> jobs, String policy, String queue, boolean profiled)
            throws InterruptedException {
        return run(jobs, policy, queue, profiled, traces -> {});
    }

    /** @param watcher is shown the jobs a few times a second */
    public List<DemoResult.Job> run(
            List<DemoJob> jobs, String policy, String queue, boolean profiled, Consumer<List<JobTrace>> watcher)
            throws InterruptedException {
        List<JobTrace> traces =
                jobs.stream().map(job -> new JobTrace(job, queue, policy)).toList();
        long beganMs = System.currentTimeMillis();
        long beganNanos = System.nanoTime();
        List<Future<?>> submissions = new ArrayList<>();
        ExecutorService submitter = Executors.newSingleThreadExecutor(task -> daemon(task, "demo-submit"));
        try {
            for (int tick = 0; ; tick++) {
                double now = (System.nanoTime() - beganNanos) / 1e9;
                submitDue(traces, submissions, submitter, queue, profiled, now);
                submissions.forEach(MixRun::check);
                look(traces, now, tick % STATUS_EVERY == 0);
                watcher.accept(traces);
                screen.update(policy, now, traces.stream().map(JobTrace::row).toList());
                if (traces.stream().allMatch(JobTrace::ended)) {
                    break;
                }
                if (now > LIMIT_SECONDS) {
                    throw new DemoException("the jobs under " + policy + " did not end within "
                            + Math.round(LIMIT_SECONDS) + " s.\nMaybe the machine is busy with something else.");
                }
                Thread.sleep(TICK_MS);
            }
        } finally {
            submitter.shutdownNow();
        }
        screen.endRun();
        readRecords(traces);
        double end = (System.nanoTime() - beganNanos) / 1e9;
        return traces.stream().map(trace -> trace.result(end, beganMs)).toList();
    }

    static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private void submitDue(
            List<JobTrace> traces,
            List<Future<?>> submissions,
            ExecutorService submitter,
            String queue,
            boolean profiled,
            double now) {
        while (submissions.size() < traces.size()
                && traces.get(submissions.size()).job().arrivalSeconds() <= now) {
            JobTrace trace = traces.get(submissions.size());
            submissions.add(submitter.submit(() -> {
                ApplicationId id = launcher.submit(specs.of(trace.job(), queue, profiled));
                trace.submitted(id);
                return id;
            }));
        }
    }

    private static void check(Future<?> submission) {
        if (!submission.isDone()) {
            return;
        }
        try {
            submission.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new DemoException("a job was not accepted: " + cause.getMessage(), cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(List<JobTrace> traces, double now, boolean withStatus) throws InterruptedException {
        for (JobTrace trace : traces) {
            ApplicationId id = trace.id();
            if (id == null || trace.ended()) {
                continue;
            }
            ApplicationView view = views.of(id);
            trace.saw(view, now);
            if (withStatus && !view.ended()) {
                statuses.live(view.trackingUrl()).ifPresent(trace::heard);
            }
        }
    }

    /** ApplicationMasters write their records as the last thing that they do. */
    private void readRecords(List<JobTrace> traces) throws InterruptedException {
        long deadline = System.nanoTime() + (long) (RECORD_SECONDS * 1e9);
        for (JobTrace trace : traces) {
            ApplicationId id = trace.id();
            Optional<JobStatus> record = Optional.empty();
            while (id != null && record.isEmpty() && System.nanoTime() < deadline) {
                record = statuses.record(id);
                if (record.isEmpty()) {
                    Thread.sleep(TICK_MS);
                }
            }
            record.ifPresent(trace::heard);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Pace;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Training;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A job on its way through the simulation. */
public final class JobRun {
    private static final long NEVER = -1;

    private final int index;
    private final TraceJob job;
    /** Of the tasks that it needs. */
    private final long gpus;

    private final long askedGpus;
    private final boolean isElastic;
    private final JobSpeed speeds;
    private long firstStartMs = NEVER;
    private long endMs = NEVER;
    private long waitsSinceMs;
    private long waitedMs;
    private long runsSinceMs = NEVER;
    private int preemptions;
    private int migrations;
    private int failures;
    private double lastMoveSeconds;
    private long lastMoveWouldEndMs;
    private double speedup;
    private List<TaskPlacement> placements = List.of();
    /** All that is kept of its places once it has ended. */
    private List<String> lastNodes = List.of();

    /** Likewise, where it trains on workers and parameter servers. */
    private @Nullable PsSize lastSize;

    private final Costs costs;
    private final WorkDone done;
    private final JobDraw draw;

    /** Rises with every start and stop: an end that was foreseen before is void. */
    private int version;

    /**
     * @param index its place in the order of submission, from 0
     * @param cards how fast those are that it may run on
     */
    JobRun(int index, TraceJob job, Costs costs, CardSpeeds cards) {
        this(index, job, job.gpus(), costs, cards);
    }

    /** @param askedGpus what it asks for; a policy that chooses GPUs may give it less */
    JobRun(int index, TraceJob job, long askedGpus, Costs costs, CardSpeeds cards) {
        this.askedGpus = askedGpus;
        this.index = index;
        this.job = job;
        this.costs = costs;
        this.gpus = job.gpus();
        this.done = new WorkDone(job.work(), gpus, costs);
        this.draw = new JobDraw(job.energy());
        this.speeds = new JobSpeed(job, cards, draw);
        this.isElastic = job.isElastic();
        this.waitsSinceMs = job.submitMs();
        this.speedup = speeds.ideal();
    }

    /** Its place in the order of submission, from 0. */
    public int index() {
        return index;
    }

    public TraceJob job() {
        return job;
    }

    /** GPUs that it needs. */
    public long gpus() {
        return gpus;
    }

    /** GPUs that it asks for in its trace. */
    public long askedGpus() {
        return askedGpus;
    }

    public boolean isStarted() {
        return firstStartMs != NEVER;
    }

    public boolean isEnded() {
        return endMs != NEVER;
    }

    public boolean isRunning() {
        return runsSinceMs != NEVER;
    }

    public long firstStartMs() {
        return firstStartMs;
    }

    public long endMs() {
        return endMs;
    }

    /** What its end is worth; empty where it has not ended, or nobody says by when it should. */
    public OptionalDouble worth() {
        return isEnded() ? job.worth(endMs) : OptionalDouble.empty();
    }

    /** How long it has waited in all. */
    public long waitedMs() {
        return waitedMs;
    }

    public int preemptions() {
        return preemptions;
    }

    /** How often a node of its went down. */
    public int failures() {
        return failures;
    }

    public int migrations() {
        return migrations;
    }

    /**
     * What it has held its GPUs for without any good, in GPU-seconds at its share: to start again, and for work that it
     * does twice. Counted when it is stopped.
     */
    public double lostGpuSeconds() {
        return done.lostGpuSeconds();
    }

    /** How fast it runs, or last ran, 1 at its share. */
    public double speedup() {
        return speedup;
    }

    /** Seconds of work at its share that it had to do beyond its work. */
    public double moreSeconds() {
        return done.moreSeconds();
    }

    /** Seconds of work at its share that its last move cost. */
    double lastMoveSeconds() {
        return lastMoveSeconds;
    }

    /** When it would have ended if it had not made its last move. */
    long lastMoveWouldEndMs() {
        return lastMoveWouldEndMs;
    }

    /**
     * What it has held its GPUs for that came to something, in GPU-seconds that its work so far takes on its GPUs at the
     * best speed that its profile knows, on the cluster's fastest cards.
     */
    public double usefulGpuSeconds(long nowMs) {
        double samples = isRunning() ? done.samples(runsSinceMs, nowMs, rate()) : done.samples();
        return job.work().ends()
                ? gpus * Math.max(0, samples) * job.work().secondsPerSample() / speeds.idealOnFastest()
                : 0;
    }

    int version() {
        return version;
    }

    List<TaskPlacement> placements() {
        return placements;
    }

    /** The nodes that it last ran on, each once. */
    public List<String> nodes() {
        return placements.isEmpty() ? lastNodes : nodes(placements);
    }

    /**
     * Workers and parameter servers that it last ran on; empty where it has not run, or nobody knows how fast it is with
     * which numbers of them.
     */
    public Optional<PsSize> servers() {
        return placements.isEmpty() || job.sizing().model().isEmpty()
                ? Optional.ofNullable(lastSize)
                : Optional.of(ServerSpeed.size(placements));
    }

    private static List<String> nodes(List<TaskPlacement> placements) {
        // Most jobs have one task.
        return placements.size() == 1
                ? List.of(placements.get(0).nodeId())
                : placements.stream().map(TaskPlacement::nodeId).distinct().toList();
    }

    boolean isDone() {
        return done.isAll();
    }

    /** How fast it is with these tasks, 1 at its share. */
    double speedup(List<TaskPlacement> tasks, Function<String, NodeView> node) {
        return speeds.of(tasks, node);
    }

    /** What its GPUs draw. */
    JobDraw draw() {
        return draw;
    }

    /** Energy of its GPUs, and its part of what its nodes drew, J. */
    public double joules() {
        return draw.joules();
    }

    void start(long nowMs, List<TaskPlacement> tasks, double speed) {
        if (firstStartMs == NEVER) {
            firstStartMs = nowMs;
        } else if (job.startsAlike()) {
            // As long on any number of GPUs.
            done.lose(costs.restartSeconds() * speed);
            draw.startsUntil(nowMs + Math.round(costs.restartSeconds() * 1000));
        }
        draw.has(tasks);
        waitedMs += nowMs - waitsSinceMs;
        runsSinceMs = nowMs;
        placements = tasks;
        speedup = speed;
        done.goesOn(nowMs, rate());
        version++;
    }

    /** Samples in a second while it runs. */
    private double rate() {
        return job.work().ends() ? speedup / job.work().secondsPerSample() : 0;
    }

    /** Ms that are left at the present speed, rounded up. */
    long leftMs() {
        return (long) Math.ceil(Math.max(0, done.secondsLeft() / speedup) * 1000);
    }

    /** The tasks with new sizes, named by the ids of {@link #runningView}. */
    List<TaskPlacement> resized(Map<String, ResourceVector> sizes) {
        List<TaskPlacement> tasks = new ArrayList<>(placements.size());
        for (TaskPlacement task : placements) {
            ResourceVector size = sizes.getOrDefault(taskId(tasks.size()), task.size());
            tasks.add(new TaskPlacement(task.group(), task.nodeId(), size, task.devices()));
        }
        return tasks;
    }

    /** Goes on with other sizes in the same places. */
    void resize(long nowMs, List<TaskPlacement> tasks, double speed) {
        settle(nowMs);
        draw.has(tasks);
        runsSinceMs = nowMs;
        placements = tasks;
        speedup = speed;
        version++;
    }

    /** GPUs that it holds while it runs: an elastic job may hold more than it needs. */
    long heldGpus() {
        return isElastic
                ? placements.stream().mapToLong(task -> task.size().gpus()).sum()
                : gpus;
    }

    private String taskId(int index) {
        return job.id() + '#' + index;
    }

    /** Takes what was done since it started, or was last settled, into account. */
    private void settle(long nowMs) {
        done.ran(runsSinceMs, nowMs, rate(), heldGpus());
    }

    /** @param seconds of work at the share that it has to do beyond what is left */
    void doMore(double seconds) {
        done.doMore(seconds);
    }

    /** @param lostSeconds of work at the share that it has to do again */
    void stop(long nowMs, double lostSeconds) {
        settle(nowMs);
        done.lose(lostSeconds);
        preemptions++;
        waitsAgain(nowMs);
    }

    void stop(long nowMs) {
        fallBack(nowMs);
        preemptions++;
    }

    /** A node of its goes down: as a stop, but nobody's decision. */
    void fail(long nowMs) {
        fallBack(nowMs);
        failures++;
    }

    /** To what it has kept, and it will have to start again. */
    private void fallBack(long nowMs) {
        settle(nowMs);
        done.lose(done.unkeptSeconds() + (job.startsAlike() ? 0 : costs.restartSeconds()));
        waitsAgain(nowMs);
    }

    /**
     * Goes on elsewhere, with all that it has done.
     *
     * @param startSeconds what it does to start there, s: at the share, or where its energy is known on any number of GPUs
     */
    void move(long nowMs, List<TaskPlacement> tasks, double speed, double startSeconds) {
        settle(nowMs);
        done.keep();
        lastMoveWouldEndMs = nowMs + leftMs();
        double lostSeconds = startSeconds;
        if (job.startsAlike()) {
            lostSeconds *= speed;
            draw.startsUntil(nowMs + Math.round(startSeconds * 1000));
            draw.has(tasks);
        }
        // One that is still starting has that to do again, or what is left of it, whichever is more.
        lastMoveSeconds = Math.max(0, done.unkeptSeconds() + lostSeconds);
        done.lose(lastMoveSeconds);
        migrations++;
        runsSinceMs = nowMs;
        placements = tasks;
        speedup = speed;
        done.goesOn(nowMs, rate());
        version++;
    }

    /**
     * Is about to be placed anew.
     *
     * @param startSeconds in which it did nothing since it was last placed
     */
    void pause(long nowMs, double startSeconds) {
        settle(nowMs);
        done.lose(Math.min(startSeconds, (nowMs - runsSinceMs) / 1000.0));
        waitsAgain(nowMs);
    }

    /** Was placed nowhere, though it ran before. */
    void madeWay() {
        preemptions++;
    }

    private void waitsAgain(long nowMs) {
        runsSinceMs = NEVER;
        waitsSinceMs = nowMs;
        version++;
    }

    void end(long nowMs) {
        settle(nowMs);
        runsSinceMs = NEVER;
        endMs = nowMs;
        version++;
    }

    /** Nobody asks any more what it held, only where it was: millions of jobs that have ended must not fill the heap. */
    void keepNodesOnly(UnaryOperator<List<String>> shared) {
        lastNodes = shared.apply(nodes());
        lastSize = servers().orElse(null);
        placements = List.of();
    }

    /** A lease of whole iterations: what comes of it is known at its start. */
    void lease(long nowMs, long leaseMs, List<TaskPlacement> tasks, double speed) {
        if (firstStartMs == NEVER) {
            firstStartMs = nowMs;
        }
        waitedMs += nowMs - waitsSinceMs;
        waitsSinceMs = nowMs + leaseMs;
        placements = tasks;
        speedup = speed;
        draw.has(tasks);
        done.leased(leaseMs / 1000.0, speed);
    }

    void endLease(long nowMs) {
        endMs = nowMs;
    }

    /** Once it has sat out a lease, nothing is known but what it could be. */
    void forgetSpeed() {
        speedup = speeds.ideal();
    }

    JobView view() {
        return view(List.of(), Pace.STILL);
    }

    JobView runningView() {
        List<RunningTask> tasks = new ArrayList<>(placements.size());
        for (TaskPlacement task : placements) {
            tasks.add(new RunningTask(taskId(tasks.size()), task.group(), task.nodeId(), task.size(), task.devices()));
        }
        return view(tasks, new Pace(runsSinceMs, rate(), heldGpus()));
    }

    private JobView view(List<RunningTask> tasks, Pace pace) {
        return new JobView(
                job.id(),
                job.submitMs(),
                job.groups(),
                tasks,
                job.profile(),
                false,
                new Progress(
                        done.samples(),
                        job.work().samples(),
                        job.work().secondsPerSample(),
                        done.attainedGpuSeconds(),
                        speedup,
                        pace),
                Set.of(),
                job.foretoldSeconds(),
                job.attributes().priority(),
                job.training().flatMap(Training::believed),
                job.sizing());
    }

    @Override
    public String toString() {
        return job.id();
    }
}

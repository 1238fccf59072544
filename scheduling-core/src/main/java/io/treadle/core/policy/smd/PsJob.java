// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.job.Utility;
import io.treadle.core.model.ps.LayeredPsModel;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.model.ps.PsSizes;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A job with the numbers of workers and parameter servers that it may have. One of which nobody knows how fast it is has one
 * size alone: what it needs at least, or what it has while it is measured at that. One without servers has what it needs at
 * least, counted as 1 worker and 1 server.
 */
final class PsJob {
    /** The groups that are scaled; others (a chief, an evaluator) have what they need. */
    static final String WORKER = "worker";

    static final String SERVER = "ps";

    private static final PsSize ONLY = new PsSize(1, 1);
    private static final double MS_A_SECOND = 1000;

    /** A job that ends in less than so many times what a change of size costs is not measured at others. */
    private static final double WORTH_PROBING = 10;

    private final JobView job;
    private final @Nullable LayeredPsModel model;
    private final ResourceVector worker;
    private final ResourceVector server;
    private final ResourceVector others;
    private final PsSize least;
    private final PsSize most;
    private final ResourceVector cap;
    private final double samplesLeft;
    private final double onlySecondsLeft;
    private final boolean endIsKnown;
    private final double elapsedSeconds;
    private final Utility utility;
    private final Optional<PsSize> held;
    private final boolean hasServers;
    private final Optional<PsSize> probe;
    private final PsSize smallest;

    private PsJob(JobView job, long nowMs) {
        this.job = job;
        Optional<TaskGroup> workers = group(job, WORKER);
        Optional<TaskGroup> servers = group(job, SERVER);
        this.hasServers = workers.isPresent()
                && servers.isPresent()
                && workers.get().min() >= 1
                && servers.get().min() >= 1
                && !job.profiling()
                && job.progress().samplesTotal() > 0
                && Double.isFinite(job.progress().samplesTotal())
                && Double.isFinite(job.progress().samplesDone(nowMs));
        this.model = hasServers ? job.sizing().model().orElse(null) : null;
        ResourceVector all = job.ask();
        PsSize bound = ONLY;
        if (hasServers) {
            TaskGroup w = workers.orElseThrow();
            TaskGroup p = servers.orElseThrow();
            worker = w.ask();
            server = p.ask();
            smallest = new PsSize(w.min(), p.min());
            PsSizes sizes = new PsSizes(smallest, new PsSize(w.max(), p.max()), Set.of());
            others = all.minus(worker.times(w.min())).minus(server.times(p.min()));
            held = held(job, w, p);
            probe = model == null && held.isPresent() ? job.sizing().probe().filter(sizes::allow) : Optional.empty();
            // Who is being measured keeps what it has; who is to be next can do with less until then.
            PsSize only = probe.isPresent() && probe.equals(held) ? held.orElseThrow() : smallest;
            least = model == null ? only : smallest;
            most = model == null ? only : sizes.most();
            bound = sizes.most();
        } else {
            // Whoever runs keeps what it has: it may have been measured before.
            worker = isWhole(job)
                    ? job.tasks().stream().map(RunningTask::size).reduce(ResourceVector.ZERO, ResourceVector::plus)
                    : all;
            server = ResourceVector.ZERO;
            others = ResourceVector.ZERO;
            least = ONLY;
            most = ONLY;
            held = isWhole(job) ? Optional.of(ONLY) : Optional.empty();
            probe = Optional.empty();
            smallest = ONLY;
        }
        this.elapsedSeconds = Math.max(0, nowMs - job.submitMs()) / MS_A_SECOND;
        this.samplesLeft =
                Math.max(0, job.progress().samplesTotal() - job.progress().samplesDone(nowMs));
        double told = job.progress().secondsLeft(nowMs);
        // Of whom nothing is known is taken to need as much again as it has had.
        this.endIsKnown = model != null || Double.isFinite(told);
        this.onlySecondsLeft = Double.isFinite(told) ? told : Math.max(1, elapsedSeconds);
        this.cap = job.sizing()
                .cap()
                .orElse(worker.times(bound.workers())
                        .plus(server.times(bound.servers()))
                        .plus(others));
        this.utility = job.sizing().utility();
    }

    static PsJob of(JobView job, long nowMs) {
        return new PsJob(job, nowMs);
    }

    private static Optional<TaskGroup> group(JobView job, String name) {
        return job.groups().stream().filter(group -> group.name().equals(name)).findFirst();
    }

    /** A job that has lost tasks starts anew as a whole. */
    private static boolean isWhole(JobView job) {
        return job.running() && job.groups().stream().allMatch(group -> job.missing(group) == 0);
    }

    private static Optional<PsSize> held(JobView job, TaskGroup worker, TaskGroup server) {
        if (!isWhole(job)) {
            return Optional.empty();
        }
        Map<String, Integer> counts = new HashMap<>();
        for (RunningTask task : job.tasks()) {
            counts.merge(task.group(), 1, Integer::sum);
        }
        return Optional.of(new PsSize(counts.getOrDefault(worker.name(), 0), counts.getOrDefault(server.name(), 0)));
    }

    JobView job() {
        return job;
    }

    String id() {
        return job.id();
    }

    /** Whether it has workers and servers. */
    boolean hasServers() {
        return hasServers;
    }

    /** Whether it may have other sizes than its least. */
    boolean scales() {
        return model != null;
    }

    /** The size at which it is to be measured, now or next; empty where it is not to be, or does not run. */
    Optional<PsSize> probe() {
        return probe;
    }

    /**
     * Whether it is to be measured at another size than it has, before it ends.
     *
     * @param rescaleSeconds what a change of size costs, s
     */
    boolean isMeasuredNext(double rescaleSeconds) {
        return probe.isPresent()
                && !probe.equals(held)
                && secondsLeft(least) > WORTH_PROBING * rescaleSeconds
                && use(probe.get()).fitsIn(cap);
    }

    PsSize least() {
        return least;
    }

    /** What it can do with where it may not even keep the size at which it is measured. */
    PsSize smallest() {
        return smallest;
    }

    PsSize most() {
        return most;
    }

    /** What it has, if it has all that it needs. */
    Optional<PsSize> held() {
        return held;
    }

    boolean runs() {
        return held.isPresent();
    }

    /** The most that it may hold. */
    ResourceVector cap() {
        return cap;
    }

    ResourceVector worker() {
        return worker;
    }

    ResourceVector server() {
        return server;
    }

    /** What its other tasks hold, whatever its size. */
    ResourceVector others() {
        return others;
    }

    ResourceVector use(PsSize size) {
        return use(size.workers(), size.servers());
    }

    ResourceVector use(int workers, int servers) {
        return worker.times(workers).plus(server.times(servers)).plus(others);
    }

    /** How fast it is, samples a second; of a job of one size 1. */
    double rate(double workers, double servers) {
        return model == null ? 1 : model.samplesPerSecond(workers, servers);
    }

    /** What makes its sizes the same as another job's: all but what it has done. */
    SizeKey key(ResourceVector limit) {
        return new SizeKey(Optional.ofNullable(model), worker, server, others, least, most, limit);
    }

    record SizeKey(
            Optional<LayeredPsModel> model,
            ResourceVector worker,
            ResourceVector server,
            ResourceVector others,
            PsSize least,
            PsSize most,
            ResourceVector limit) {}

    /** Until its end, s. */
    double secondsLeft(PsSize size) {
        return model == null ? onlySecondsLeft : samplesLeft / rate(size.workers(), size.servers());
    }

    /** Whether that is more than a guess: something is known of its speed. */
    boolean endIsKnown() {
        return endIsKnown;
    }

    /** From its first start to its end, were it alone, s. */
    double wholeSeconds(PsSize size) {
        double total = job.progress().samplesTotal();
        double known = model == null
                ? total * job.progress().secondsPerSample()
                : total / rate(size.workers(), size.servers());
        return known > 0 && Double.isFinite(known) ? known : 2 * onlySecondsLeft;
    }

    double elapsedSeconds() {
        return elapsedSeconds;
    }

    double weight() {
        return utility.weight();
    }

    /** What its end is worth, with the target that it has or gets. */
    Utility utility(OptionalDouble defaultTargetHours) {
        return utility.targetHours().isPresent() || defaultTargetHours.isEmpty()
                ? utility
                : utility.withTarget(defaultTargetHours.getAsDouble());
    }

    /** The group of each task that it has at a size, groups in the job's order. */
    List<TaskGroup> tasks(PsSize size) {
        List<TaskGroup> tasks = new ArrayList<>();
        for (TaskGroup group : job.groups()) {
            for (int i = 0; i < count(group, size); i++) {
                tasks.add(group);
            }
        }
        return tasks;
    }

    /** Tasks of a group at a size. */
    int count(TaskGroup group, PsSize size) {
        if (hasServers && group.name().equals(WORKER)) {
            return size.workers();
        }
        if (hasServers && group.name().equals(SERVER)) {
            return size.servers();
        }
        return !hasServers && runs()
                ? (int) job.tasks().stream()
                        .filter(task -> task.group().equals(group.name()))
                        .count()
                : group.min();
    }
}

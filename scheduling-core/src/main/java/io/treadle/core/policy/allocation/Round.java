// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.placement.Ledger;
import io.treadle.core.placement.Placement;
import io.treadle.core.placement.TaskSizer;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.plan.Throughput;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One round of planning. Running tasks stay on their nodes: their GPUs, and what they ask for at least, are charged
 * before anything is handed out; only the rest of their size is decided anew.
 */
public final class Round {
    private final Snapshot snapshot;
    private final Placement placement;
    private final Sizes sizes;
    private final Ledger ledger;
    private final InPlace inPlace;
    /** In the order in which jobs were served. */
    private final Map<String, Grant> grants = new LinkedHashMap<>();
    /** Those of {@link #grants} that start tasks and were not told yet. */
    private final List<JobView> starting = new ArrayList<>();
    /** What is charged for running jobs that were not served yet. */
    private final Floors floors;

    private Optional<Supplier<Throughput>> throughput = Optional.empty();

    public Round(Snapshot snapshot, Placement placement) {
        this(snapshot, placement, new Sizes(snapshot));
    }

    /** A round like this one on the same nodes, with nothing granted. */
    public Round again() {
        return new Round(snapshot, placement, sizes);
    }

    private Round(Snapshot snapshot, Placement placement, Sizes sizes) {
        this.snapshot = snapshot;
        this.placement = placement;
        this.sizes = sizes;
        this.floors = Floors.of(snapshot, sizes);
        this.ledger = floors.ledger();
        this.inPlace = new InPlace(ledger);
        for (JobView job : snapshot.jobs()) {
            Grant floor = floors.get(job);
            if (floor != null && isMeasured(job)) {
                grants.put(job.id(), floor);
                floors.remove(job);
            }
        }
    }

    /** Whether its ApplicationMaster measures the job and resizes it itself meanwhile. */
    static boolean isMeasured(JobView job) {
        return job.profiling() && missing(job).isEmpty();
    }

    /** What is free; whoever keeps a round for long tells it here what others take, and which nodes are open. */
    public Ledger ledger() {
        return ledger;
    }

    Sizes sizes() {
        return sizes;
    }

    /** @param reckoned asked only where a plan is told to people */
    void tell(Supplier<Throughput> reckoned) {
        throughput = Optional.of(reckoned);
    }

    Placement placement() {
        return placement;
    }

    /** Whether the job's ApplicationMaster measures it and nothing is left to decide. */
    public boolean isDecided(JobView job) {
        return !grants.isEmpty() && grants.containsKey(job.id());
    }

    Iterable<Grant> grants() {
        return grants.values();
    }

    /**
     * Gives the job these sizes, on its nodes where it runs and on new ones for tasks that are to start; false, and
     * nothing changed, if they do not fit.
     */
    boolean tryGrant(JobView job, TaskSizer sizer, Grant.Level level) {
        return tryGrant(job, sizer, level, placement);
    }

    /** The same, with new tasks where this placement has them. */
    boolean tryGrant(JobView job, TaskSizer sizer, Grant.Level level, Placement where) {
        return tryGrant(job, sizer, level, missing(job), where, false);
    }

    /** Gives the job its demand, unless that takes what jobs of other queues wait for. */
    boolean tryDemand(JobView job) {
        return tryGrant(
                job,
                (group, node) -> sizes.demand(job, group, node),
                Grant.Level.DEMAND,
                missing(job),
                placement,
                true);
    }

    /** Gives the tasks of a running job these sizes, unless that takes what jobs of other queues wait for. */
    boolean tryInPlace(JobView job, TaskSizer sizer, Grant.Level level) {
        return tryGrant(job, sizer, level, List.of(), placement, true);
    }

    /** What is charged for a running job that was granted nothing else yet. */
    Optional<Grant> floor(JobView job) {
        return Optional.ofNullable(floors.get(job));
    }

    /** Whether as many GPUs are free as its tasks that are to start need. */
    boolean hasGpusFor(JobView job) {
        long needed = 0;
        for (TaskGroup group : job.groups()) {
            needed += job.missing(group) * group.ask().gpus();
        }
        return needed <= ledger.openFreeGpus();
    }

    /** The jobs that start since this was last asked, with all that they were granted. */
    public List<Decision.Run> takeStarting() {
        List<Grant> granted = new ArrayList<>(starting.size());
        starting.forEach(job -> granted.add(Objects.requireNonNull(grants.get(job.id()))));
        starting.clear();
        return decisions().starting(granted);
    }

    /** Moves small jobs that run, and were not served yet, to where they fit tighter, each at its share. */
    public List<Decision.Move> moveRunning() {
        List<Grant> unserved = new ArrayList<>();
        for (JobView job : snapshot.jobs()) {
            Grant floor = floors.get(job);
            if (floor != null) {
                unserved.add(floor);
            }
        }
        return migration(snapshot.nowMs()).moves(unserved);
    }

    /** Moves small jobs that run to where they fit tighter; all of them were granted in this round. */
    public List<Decision.Move> moveSmall(long nowMs) {
        List<Decision.Move> moves = migration(nowMs).moves(List.copyOf(grants.values()));
        for (Decision.Move move : moves) {
            Grant before = Objects.requireNonNull(grants.get(move.jobId()));
            List<Grant.Task> tasks = move.tasks().stream()
                    .map(task -> starting(before.job(), task))
                    .toList();
            grants.put(move.jobId(), new Grant(before.job(), tasks, before.level()));
        }
        return moves;
    }

    /** What is known of a job now that was granted its tasks in this round; whoever keeps a round for long tells it. */
    public void runs(JobView job) {
        Grant grant = grants.get(job.id());
        if (grant != null && snapshot.overheads().moveSeconds() > 0) {
            grants.put(job.id(), new Grant(job, grant.tasks(), grant.level()));
        }
    }

    private Migration migration(long nowMs) {
        return new Migration(
                ledger, placement, sizes::share, nowMs, snapshot.overheads().moveSeconds());
    }

    /** Gives back what the job was granted, if anything. */
    public void release(String jobId) {
        Grant grant = grants.remove(jobId);
        if (grant != null) {
            grant.tasks().forEach(t -> ledger.giveBack(jobId, t.node(), t.size(), t.devices()));
        }
    }

    /** Whether a job starts that was not told yet. */
    public boolean isStarting() {
        return !starting.isEmpty();
    }

    Optional<Grant> grant(JobView job) {
        return Optional.ofNullable(grants.get(job.id()));
    }

    /** Gives a job that starts in this round one more task; false, and nothing changed, if it does not fit. */
    boolean tryMore(JobView job, TaskGroup group, TaskSizer sizer) {
        Grant grant = Objects.requireNonNull(grants.get(job.id()));
        Optional<List<TaskPlacement>> placed = placement.place(job, List.of(group), sizer, ledger);
        if (placed.isEmpty()) {
            return false;
        }
        List<Grant.Task> tasks = new ArrayList<>(grant.tasks());
        placed.get().forEach(task -> tasks.add(starting(job, task)));
        grants.put(job.id(), new Grant(job, tasks, grant.level()));
        return true;
    }

    private Grant.Task starting(JobView job, TaskPlacement task) {
        int node = ledger.indexOf(task.nodeId()).orElseThrow();
        return new Grant.Task(Optional.empty(), job.group(task.group()), node, task.size(), task.devices());
    }

    /** Gives the running tasks of a job these sizes, as far as they fit, where its lost tasks find no room. */
    void grantInPlace(JobView job, TaskSizer sizer) {
        if (floors.get(job) != null) {
            tryGrant(job, sizer, Grant.Level.SHARE, List.of(), placement, false);
        }
    }

    private boolean tryGrant(
            JobView job,
            TaskSizer sizer,
            Grant.Level level,
            List<TaskGroup> missing,
            Placement where,
            boolean sparing) {
        if (!missing.isEmpty() && !hasGpusFor(job)) {
            return false;
        }
        List<Grant.Task> running =
                Optional.ofNullable(floors.get(job)).map(Grant::tasks).orElse(List.of());
        List<Grant.Task> tasks = new ArrayList<>(running.size() + missing.size());
        TaskSizer wanted = new LastSize(sizer);
        for (Grant.Task task : running) {
            // A share is cut to what there is.
            Optional<ResourceVector> size = inPlace.size(
                    job, task, wanted.size(task.group(), ledger.node(task.node())), level == Grant.Level.SHARE);
            if (size.isEmpty()) {
                undo(job, running, tasks);
                return false;
            }
            tasks.add(inPlace.recharge(job, task, size.get()));
        }
        Optional<List<TaskPlacement>> placed =
                missing.isEmpty() ? Optional.of(List.of()) : where.place(job, missing, sizer, ledger);
        if (placed.isEmpty()) {
            undo(job, running, tasks);
            return false;
        }
        placed.get().forEach(task -> tasks.add(starting(job, task)));
        Grant grant = new Grant(job, tasks, level);
        if (startsIdle(grant) || (sparing && takesOwed(grant))) {
            undo(job, running, tasks.subList(0, running.size()));
            placed.get()
                    .forEach(task -> ledger.giveBack(
                            job.id(), ledger.indexOf(task.nodeId()).orElseThrow(), task.size(), task.devices()));
            return false;
        }
        floors.remove(job);
        grants.put(job.id(), grant);
        if (!missing.isEmpty()) {
            starting.add(job);
        }
        return true;
    }

    private boolean takesOwed(Grant grant) {
        return grant.tasks().stream().anyMatch(task -> !ledger.keepsOwed(task.node()));
    }

    /** Whether a task would start at no speed at all. */
    private boolean startsIdle(Grant grant) {
        return !sizes.areAsAsked()
                && grant.tasks().stream()
                        .anyMatch(task -> task.runningId().isEmpty()
                                && Sizes.isProfiled(grant.job(), task.group())
                                && sizes.speed(grant.job(), ledger.node(task.node()), task.size()) == 0);
    }

    private void undo(JobView job, List<Grant.Task> before, List<Grant.Task> resized) {
        for (int i = 0; i < resized.size(); i++) {
            inPlace.recharge(job, resized.get(i), before.get(i).size());
        }
    }

    /** Takes back what a grant of this round holds above these sizes. */
    void shrink(Grant grant, TaskSizer sizer, Grant.Level level) {
        List<Grant.Task> tasks = new ArrayList<>();
        for (Grant.Task task : grant.tasks()) {
            ResourceVector size = sizer.size(task.group(), ledger.node(task.node()))
                    .withGpus(task.size().gpus());
            boolean fits = size.minus(task.size())
                    .fitsIn(ledger.room(
                            grant.job().id(), task.node(), size, task.group().ask()));
            // A dimension in which the task had less than its share may grow, where there is room.
            tasks.add(inPlace.recharge(grant.job(), task, fits ? size : size.min(task.size())));
        }
        grants.put(grant.job().id(), new Grant(grant.job(), tasks, level));
    }

    /** Raises the tasks of a group to this size, for which the caller has seen that there is room. */
    void resize(Grant grant, TaskGroup group, ResourceVector size, Grant.Level level) {
        List<Grant.Task> tasks = new ArrayList<>();
        for (Grant.Task task : grant.tasks()) {
            tasks.add(task.isOf(group) ? inPlace.recharge(grant.job(), task, size.max(task.size())) : task);
        }
        grants.put(grant.job().id(), new Grant(grant.job(), tasks, level));
    }

    /** The decisions that start tasks or change sizes, in the order in which jobs were served. */
    public List<Decision> changes() {
        return decisions().changes(grants.values());
    }

    /** A decision for every job. */
    public Plan plan(List<JobView> ordered) {
        return decisions().plan(ordered, grants, throughput.map(Supplier::get));
    }

    private Decisions decisions() {
        return new Decisions(snapshot, ledger, sizes);
    }

    /** The group of each task that is to start. */
    static List<TaskGroup> missing(JobView job) {
        List<TaskGroup> missing = new ArrayList<>();
        for (TaskGroup group : job.groups()) {
            for (int i = job.missing(group); i > 0; i--) {
                missing.add(group);
            }
        }
        return missing;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.plan.Plan;
import io.treadle.core.policy.Policy;
import io.treadle.rm.bridge.GangLabels;
import io.treadle.rm.bridge.PlannerThread;
import io.treadle.rm.bridge.SnapshotBuilder;
import io.treadle.rm.conf.SchedulerConf;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.gang.GangTable;
import io.treadle.rm.metrics.TreadleMetrics;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The planner thread: plans when something happened, and at least every so often while there are jobs. */
final class RoundDriver implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(RoundDriver.class);
    /** The longest that the planner rests because rounds are costly, ms. */
    private static final long MOST_IDLE_MS = 5_000;

    private static final long WATCH_MS = 1000;

    /** Rounds that follow a refused start without a rest for nothing: what was in its way may be gone, or may stay. */
    private static final int QUICK_RETRIES = 3;

    private final BooleanSupplier ready;
    private final GangTable gangs;
    private final GangLabels labels;
    private final SnapshotBuilder snapshots;
    private final QueuePolicies policies;
    private final ModelWatch models;
    private final PlanExecutor executor;
    private final ReservationRounds reservations;
    private final LentRounds lent;
    private final GangDiagnostics diagnostics;
    private final Consumer<List<Gang>> observer;
    private final LongConsumer caps;
    private final Runnable repair;
    private final TreadleMetrics metrics;
    private final SchedulerConf conf;
    private final Surroundings surroundings;
    private final Clock clock;
    private final RoundRecorder recorder;
    private final Map<QueuePartition, QueuePlanner> planners = new ConcurrentHashMap<>();
    private final Refreshes refreshes = new Refreshes();
    private final RoundTimes times = new RoundTimes();
    private final RoundTriggers triggers;
    private final PlannerHealth health;
    private final Thread thread = new PlannerThread(this, "treadle-planner");
    private final Thread watcher = new Thread(this::watch, "treadle-planner-watch");
    private volatile boolean stopping;
    /** Rounds one after the other in which something that was to start was refused. */
    private int refusedRounds;
    /** Whether that was so in this round. */
    private boolean refused;

    /** The queues that were planned in this round. */
    private final List<ReservationRounds.QueueRound> planned = new ArrayList<>();

    /** What the last round took, and policies that it did not wait for, ms. */
    private long roundMs;

    /**
     * @param ready whether what runs in the cluster is known: after a restart of the ResourceManager that takes a while
     * @param observer is shown all jobs at the end of each round
     * @param triggers say when a round is due
     * @param caps tells nodes the caps of their GPUs, at a moment in ms since the epoch
     * @param repair takes back what is left of gangs that lost a member before they were fetched, and what waits in vain
     */
    RoundDriver(
            BooleanSupplier ready,
            GangTable gangs,
            GangLabels labels,
            SnapshotBuilder snapshots,
            QueuePolicies policies,
            ModelWatch models,
            PlanExecutor executor,
            ReservationRounds reservations,
            LentRounds lent,
            GangDiagnostics diagnostics,
            Consumer<List<Gang>> observer,
            RoundTriggers triggers,
            LongConsumer caps,
            Runnable repair,
            TreadleMetrics metrics,
            SchedulerConf conf,
            Surroundings surroundings) {
        this.ready = ready;
        this.gangs = gangs;
        this.labels = labels;
        this.snapshots = snapshots;
        this.policies = policies;
        this.models = models;
        this.executor = executor;
        this.reservations = reservations;
        this.lent = lent;
        this.diagnostics = diagnostics;
        this.observer = observer;
        this.triggers = triggers;
        this.caps = caps;
        this.repair = repair;
        this.metrics = metrics;
        this.conf = conf;
        this.surroundings = surroundings;
        this.clock = surroundings.clock();
        this.recorder = new RoundRecorder(conf.recordDir());
        this.health = new PlannerHealth(metrics, surroundings.nanoTime(), PlannerHealth.STUCK);
        thread.setDaemon(true);
        watcher.setDaemon(true);
    }

    /** What the planner does now, and what failed. */
    PlannerHealth.Report health() {
        return health.report();
    }

    void start() {
        thread.start();
        watcher.start();
    }

    void stop() throws InterruptedException {
        stopping = true;
        watcher.interrupt();
        thread.interrupt();
        try {
            thread.join(10_000);
        } finally {
            planners.values().forEach(QueuePlanner::stop);
            metrics.admission().close();
        }
    }

    /** How near the choice of jobs comes to the best, for each queue whose policy tells, by path. */
    List<QueueAdmission> admissions() {
        return planners.entrySet().stream()
                .filter(entry -> !entry.getValue().isPlain(clock.millis()))
                .flatMap(entry -> entry.getValue().certificate().stream()
                        .map(certificate -> new QueueAdmission(
                                entry.getKey().queue(), entry.getKey().partition(), certificate)))
                .sorted(Comparator.comparing(QueueAdmission::queue).thenComparing(QueueAdmission::partition))
                .toList();
    }

    /** Whether the policy of the job's queue has failed so often that the queue behaves as plain capacity. */
    boolean isPlain(Gang gang) {
        QueuePlanner planner = planners.get(QueuePartition.of(gang));
        return health.isStuck() || (planner != null && planner.isPlain(clock.millis()));
    }

    /** The refresh of the queues reports to it. */
    Refreshes refreshes() {
        return refreshes;
    }

    /** The queues' settings are new. */
    void refreshed() {
        planners.values().forEach(QueuePlanner::refreshed);
    }

    @Override
    public void run() {
        while (!stopping) {
            try {
                triggers.await(rests());
                turn();
            } catch (InterruptedException e) {
                // Either it stops, or a part of the round before took so long that it was interrupted and did not hear.
            } catch (Throwable e) {
                failed(e);
            }
        }
    }

    /** Not even a failure to tell of a failure, as where memory is short, may end planning. */
    private void failed(Throwable failure) {
        try {
            health.failed("begin or end a round", failure);
        } catch (Throwable e) {
            metrics.failed();
        }
    }

    /** Caps are renewed in time. */
    private RoundTriggers.Rests rests() {
        return RoundTriggers.Rests.after(
                roundMs,
                conf.roundMinGap().toMillis(),
                conf.roundMaxAge().toMillis(),
                Math.min(MOST_IDLE_MS, conf.power().capsLease().toMillis() / 3),
                // The timeout of a policy is looked at in rounds, and the queue of one that fails stands still.
                reservations.isHolding() || planners.values().stream().anyMatch(QueuePlanner::isInTrouble));
    }

    /** One round. Only for the planner thread, and for the caller that takes its place. */
    void turn() {
        roundMs = 0;
        health.part("take back broken gangs and reservations", repair);
        if (ready.getAsBoolean()) {
            if (gangs.isEmpty()) {
                health.part("forget what rounds looked up", snapshots::forget);
            } else {
                health.part("see which nodes jobs ask for", () -> gangs.forEach(labels::follow));
                health.part("plan", this::round);
                health.part("plan on idle nodes of other partitions", this::lend);
                health.part("keep histories of jobs", () -> observer.accept(gangs.all()));
            }
            health.part("end the reservations of the round", () -> reservations.roundEnds(gangs.all()));
            // Also when the last job is gone, and its caps with it.
            health.part("tell nodes their caps", () -> caps.accept(clock.millis()));
        }
        health.part("update metrics", this::figures);
        health.part("forget ended jobs", () -> {
            List<Gang> all = gangs.all();
            executor.keep(all, clock.millis());
            lent.keep(all);
            snapshots.keep(all);
        });
    }

    private void watch() {
        while (!stopping) {
            try {
                TimeUnit.MILLISECONDS.sleep(WATCH_MS);
                health.look(thread);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (Throwable e) {
                unwatched(e);
            }
        }
    }

    private void unwatched(Throwable failure) {
        try {
            LOG.error("The planner could not be watched; it is tried again", failure);
        } catch (Throwable e) {
            metrics.failed();
        }
    }

    private void round() {
        long start = clock.millis();
        snapshots.roundBegins();
        times.roundBegins();
        refused = false;
        planned.clear();
        Map<QueuePartition, List<Gang>> byQueue = byQueue();
        for (Map.Entry<QueuePartition, List<Gang>> entry : byQueue.entrySet()) {
            long stamp = refreshes.stamp();
            try {
                round(entry.getKey(), entry.getValue(), others(entry.getKey(), byQueue), stamp);
            } catch (Throwable e) {
                if (e instanceof RuntimeException && !refreshes.isUndisturbed(stamp)) {
                    LOG.debug("The round of queue {} met a refresh of the queues", entry.getKey(), e);
                    continue;
                }
                // Whatever goes wrong in the round of one queue: the others are planned, and the RM does not stop for
                // it.
                health.failed("plan queue " + entry.getKey(), e);
                planner(entry.getKey()).roundFailed(e, clock.millis());
            }
        }
        refusedRounds = refused ? refusedRounds + 1 : 0;
        if (refused && refusedRounds <= QUICK_RETRIES) {
            triggers.gangs();
        }
        long tookMs = clock.millis() - start;
        long workedMs =
                planners.values().stream().mapToLong(QueuePlanner::takeWorkedMs).sum();
        roundMs = Math.max(tookMs, workedMs);
        metrics.roundTook(tookMs, times.snapshotMs(), times.policyMs());
    }

    /** After all queues are planned: asks for the nodes' own label come first. */
    private void lend() {
        for (ReservationRounds.QueueRound round : planned) {
            long stamp = refreshes.stamp();
            try {
                lent.afterPlans(round, () -> refreshes.isUndisturbed(stamp));
            } catch (RuntimeException e) {
                if (refreshes.isUndisturbed(stamp)) {
                    health.failed("plan queue " + round.queue() + " on idle nodes of other partitions", e);
                }
            }
        }
        planned.clear();
    }

    /** Also when the last job has gone: what is told then stands until the next one comes. */
    private void figures() {
        List<Gang> all = gangs.all();
        Set<QueuePartition> used = all.stream().map(QueuePartition::of).collect(Collectors.toSet());
        planners.forEach((where, planner) -> {
            // One whose policy never ends is kept: a new one would start another thread for it.
            if (!used.contains(where) && !planner.isBusy()) {
                planners.remove(where);
                planner.stop();
            }
            boolean stands = used.contains(where) && !planner.isPlain(clock.millis());
            metrics.admission()
                    .show(where.queue(), where.partition(), stands ? planner.certificate() : Optional.empty());
        });
        int running =
                (int) all.stream().filter(g -> g.state() == Gang.State.RUNNING).count();
        metrics.jobs(all.size() - running, running);
        metrics.plainQueues((int) planners.values().stream()
                .filter(p -> p.isPlain(clock.millis()))
                .count());
    }

    /** Jobs of other queues for the same nodes. */
    private static List<Gang> others(QueuePartition where, Map<QueuePartition, List<Gang>> byQueue) {
        return byQueue.entrySet().stream()
                .filter(other -> !other.getKey().equals(where)
                        && other.getKey().partition().equals(where.partition()))
                .flatMap(other -> other.getValue().stream())
                .toList();
    }

    /** @param stamp of the refreshes as the round began; where one came since then nothing is decided */
    private void round(QueuePartition where, List<Gang> jobs, List<Gang> others, long stamp) {
        long nowMs = clock.millis();
        QueuePlanner planner = planner(where);
        if (planner.isPlain(nowMs)) {
            reservations.queueIsPlain(jobs, nowMs);
            jobs.forEach(g -> g.explain(
                    g.state(), "the policy of its queue fails: the queue behaves as plain capacity meanwhile"));
            return;
        }
        Policy policy = planner.policy(policies);
        reservations.beforePlan(jobs);
        Optional<Snapshot> snapshot = times.ofSnapshot(
                () -> snapshots.build(where.queue(), where.partition(), jobs, others, policy.stopsJobs(), nowMs));
        if (snapshot.isEmpty() || !refreshes.isUndisturbed(stamp)) {
            return;
        }
        models.observe(snapshot.get(), jobs);
        if (!executor.isMakingWay(jobs, nowMs) && !plan(policy, planner, where, snapshot.get())) {
            metrics.policyFailed();
            return;
        }
        ReservationRounds.QueueRound round = new ReservationRounds.QueueRound(
                where.queue(), where.partition(), jobs, others, policy, planner, snapshot.get());
        reservations.afterPlan(round);
        planned.add(round);
        diagnostics.show(jobs);
    }

    /** False where the policy failed. */
    private boolean plan(Policy policy, QueuePlanner planner, QueuePartition where, Snapshot snapshot) {
        if (!planner.isPlanning() && !planner.pace().isDue(policy, snapshot)) {
            executor.carryOut(planner.pace().resizes(), snapshot);
            return true;
        }
        Optional<Plan> plan = times.ofPolicy(() -> planner.plan(policy, snapshot, snapshot.nowMs()));
        plan.ifPresent(good -> {
            Snapshot seen = planner.plannedFor().orElse(snapshot);
            planner.pace().planned(policy, seen, good);
            recorder.record(where.partition(), policy.name(), seen, good);
            if (!executor.carryOut(good, seen)) {
                refused = true;
                if (policy.stopsJobs()) {
                    planner.pace().refused(policy);
                }
            }
        });
        return plan.isPresent() || planner.isPlanning();
    }

    private QueuePlanner planner(QueuePartition where) {
        return planners.computeIfAbsent(
                where, key -> new QueuePlanner(key.queue(), conf, surroundings, triggers::gangs));
    }

    private record QueuePartition(String queue, String partition) {
        @Override
        public String toString() {
            return queue + (partition.isEmpty() ? "" : " of partition " + partition);
        }

        static QueuePartition of(Gang gang) {
            return new QueuePartition(gang.queue(), gang.partition());
        }
    }

    private Map<QueuePartition, List<Gang>> byQueue() {
        Map<QueuePartition, List<Gang>> queues = new LinkedHashMap<>();
        for (Gang gang : gangs.all()) {
            queues.computeIfAbsent(QueuePartition.of(gang), key -> new ArrayList<>())
                    .add(gang);
        }
        return queues;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.plan.Plan;
import io.treadle.core.policy.Policy;
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
import java.util.concurrent.Semaphore;
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

    private final BooleanSupplier ready;
    private final GangTable gangs;
    private final SnapshotBuilder snapshots;
    private final QueuePolicies policies;
    private final ModelWatch models;
    private final PlanExecutor executor;
    private final ReservationRounds reservations;
    private final GangDiagnostics diagnostics;
    private final Consumer<List<Gang>> observer;
    private final LongConsumer caps;
    private final TreadleMetrics metrics;
    private final SchedulerConf conf;
    private final Clock clock;
    private final RoundRecorder recorder;
    private final Map<QueuePartition, QueuePlanner> planners = new ConcurrentHashMap<>();
    private final Semaphore events = new Semaphore(0);
    private final Thread thread = new Thread(this, "treadle-planner");

    /**
     * @param ready whether what runs in the cluster is known: after a restart of the ResourceManager that takes a while
     * @param observer is shown all jobs at the end of each round
     * @param caps tells nodes the caps of their GPUs, at a moment in ms since the epoch
     */
    RoundDriver(
            BooleanSupplier ready,
            GangTable gangs,
            SnapshotBuilder snapshots,
            QueuePolicies policies,
            ModelWatch models,
            PlanExecutor executor,
            ReservationRounds reservations,
            GangDiagnostics diagnostics,
            Consumer<List<Gang>> observer,
            LongConsumer caps,
            TreadleMetrics metrics,
            SchedulerConf conf,
            Clock clock) {
        this.ready = ready;
        this.gangs = gangs;
        this.snapshots = snapshots;
        this.policies = policies;
        this.models = models;
        this.executor = executor;
        this.reservations = reservations;
        this.diagnostics = diagnostics;
        this.observer = observer;
        this.caps = caps;
        this.metrics = metrics;
        this.conf = conf;
        this.clock = clock;
        this.recorder = new RoundRecorder(conf.recordDir());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void stop() throws InterruptedException {
        thread.interrupt();
        thread.join(10_000);
        planners.values().forEach(QueuePlanner::stop);
        metrics.admission().close();
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

    /** Something happened that may change the plan. */
    void trigger() {
        events.release();
    }

    /** Whether the policy of the job's queue has failed so often that the queue behaves as plain capacity. */
    boolean isPlain(Gang gang) {
        QueuePlanner planner = planners.get(QueuePartition.of(gang));
        return planner != null && planner.isPlain(clock.millis());
    }

    /** The queues' settings are new. */
    void refreshed() {
        planners.values().forEach(QueuePlanner::refreshed);
    }

    @Override
    public void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                boolean event = events.tryAcquire(conf.roundMaxAge().toMillis(), TimeUnit.MILLISECONDS);
                if (event) {
                    // What comes in this gap is part of the same round.
                    TimeUnit.MILLISECONDS.sleep(conf.roundMinGap().toMillis());
                    events.drainPermits();
                }
                if (ready.getAsBoolean()) {
                    if (!gangs.isEmpty()) {
                        round();
                    }
                    reservations.roundEnds(gangs.all());
                    // Also when the last job is gone, and its caps with it.
                    caps.accept(clock.millis());
                }
                figures();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                // Whatever goes wrong in a round, the next one may go right: the RM must not stop for it.
                LOG.error("A planning round failed; the next one starts in {}", conf.roundMaxAge(), e);
            }
        }
    }

    private void round() {
        long start = clock.millis();
        snapshots.roundBegins();
        Map<QueuePartition, List<Gang>> byQueue = byQueue();
        for (Map.Entry<QueuePartition, List<Gang>> entry : byQueue.entrySet()) {
            try {
                round(entry.getKey(), entry.getValue(), others(entry.getKey(), byQueue));
            } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
                // Whatever goes wrong in the round of one queue: the others are planned, and the RM does not stop for
                // it.
                LOG.error(
                        "The round of queue {} failed; the next one starts in {}",
                        entry.getKey(),
                        conf.roundMaxAge(),
                        e);
                metrics.policyFailed();
                planner(entry.getKey()).roundFailed(e, clock.millis());
            }
        }
        observer.accept(gangs.all());
        metrics.roundTook(clock.millis() - start);
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

    private void round(QueuePartition where, List<Gang> jobs, List<Gang> others) {
        long nowMs = clock.millis();
        QueuePlanner planner = planner(where);
        if (planner.isPlain(nowMs)) {
            reservations.queueIsPlain(jobs);
            jobs.forEach(g -> g.explain(
                    g.state(), "the policy of its queue fails: the queue behaves as plain capacity meanwhile"));
            return;
        }
        Policy policy = policies.of(where.queue());
        reservations.beforePlan(jobs);
        Optional<Snapshot> snapshot =
                snapshots.build(where.queue(), where.partition(), jobs, others, policy.stopsJobs(), nowMs);
        if (snapshot.isEmpty()) {
            return;
        }
        models.observe(snapshot.get(), jobs);
        if (!executor.isMakingWay(jobs, nowMs) && !plan(policy, planner, where, snapshot.get())) {
            metrics.policyFailed();
            return;
        }
        reservations.afterPlan(new ReservationRounds.QueueRound(
                where.queue(), where.partition(), jobs, others, policy, planner, snapshot.get()));
        diagnostics.show(jobs);
    }

    /** False where the policy failed. */
    private boolean plan(Policy policy, QueuePlanner planner, QueuePartition where, Snapshot snapshot) {
        if (!planner.pace().isDue(policy, snapshot)) {
            executor.carryOut(planner.pace().resizes(), snapshot);
            return true;
        }
        Optional<Plan> plan = planner.plan(policy, snapshot, snapshot.nowMs());
        plan.ifPresent(good -> {
            planner.pace().planned(policy, snapshot, good);
            recorder.record(where.partition(), policy.name(), snapshot, good);
            if (!executor.carryOut(good, snapshot) && policy.stopsJobs()) {
                planner.pace().refused(policy);
            }
        });
        return plan.isPresent();
    }

    private QueuePlanner planner(QueuePartition where) {
        return planners.computeIfAbsent(where, key -> new QueuePlanner(key.queue(), conf));
    }

    private record QueuePartition(String queue, String partition) {
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

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.plan.Plan;
import io.treadle.rm.bridge.SnapshotBuilder;
import io.treadle.rm.conf.SchedulerConf;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.gang.GangTable;
import io.treadle.rm.metrics.TreadleMetrics;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
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
    private final GangDiagnostics diagnostics;
    private final Consumer<List<Gang>> observer;
    private final TreadleMetrics metrics;
    private final SchedulerConf conf;
    private final Clock clock;
    private final Map<String, QueuePlanner> planners = new ConcurrentHashMap<>();
    private final Semaphore events = new Semaphore(0);
    private final Thread thread = new Thread(this, "treadle-planner");

    /**
     * @param ready whether what runs in the cluster is known: after a restart of the ResourceManager that takes a while
     * @param observer is shown all jobs at the end of each round
     */
    RoundDriver(
            BooleanSupplier ready,
            GangTable gangs,
            SnapshotBuilder snapshots,
            QueuePolicies policies,
            ModelWatch models,
            PlanExecutor executor,
            GangDiagnostics diagnostics,
            Consumer<List<Gang>> observer,
            TreadleMetrics metrics,
            SchedulerConf conf,
            Clock clock) {
        this.ready = ready;
        this.gangs = gangs;
        this.snapshots = snapshots;
        this.policies = policies;
        this.models = models;
        this.executor = executor;
        this.diagnostics = diagnostics;
        this.observer = observer;
        this.metrics = metrics;
        this.conf = conf;
        this.clock = clock;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void stop() throws InterruptedException {
        thread.interrupt();
        thread.join(10_000);
        planners.values().forEach(QueuePlanner::stop);
    }

    /** Something happened that may change the plan. */
    void trigger() {
        events.release();
    }

    /** Whether the queue's policy has failed so often that the queue behaves as plain capacity. */
    boolean isPlain(String queue) {
        QueuePlanner planner = planners.get(queue);
        return planner != null && planner.isPlain(clock.millis());
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
                if (!gangs.isEmpty() && ready.getAsBoolean()) {
                    round();
                }
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
        for (Map.Entry<QueuePartition, List<Gang>> entry : byQueue().entrySet()) {
            try {
                round(entry.getKey(), entry.getValue());
            } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
                // Whatever goes wrong in the round of one queue: the others are planned, and the RM does not stop for
                // it.
                LOG.error(
                        "The round of queue {} failed; the next one starts in {}",
                        entry.getKey(),
                        conf.roundMaxAge(),
                        e);
                metrics.policyFailed();
            }
        }
        List<Gang> all = gangs.all();
        observer.accept(all);
        int running =
                (int) all.stream().filter(g -> g.state() == Gang.State.RUNNING).count();
        metrics.jobs(all.size() - running, running);
        metrics.plainQueues(
                (int) planners.keySet().stream().filter(this::isPlain).count());
        metrics.roundTook(clock.millis() - start);
    }

    private void round(QueuePartition where, List<Gang> jobs) {
        long nowMs = clock.millis();
        QueuePlanner planner = planners.computeIfAbsent(where.queue(), queue -> new QueuePlanner(queue, conf));
        if (planner.isPlain(nowMs)) {
            jobs.forEach(g -> g.explain(
                    g.state(), "the policy of its queue fails: the queue behaves as plain capacity meanwhile"));
            return;
        }
        Optional<Snapshot> snapshot = snapshots.build(where.queue(), where.partition(), jobs, nowMs);
        if (snapshot.isEmpty()) {
            return;
        }
        models.observe(snapshot.get(), jobs);
        Optional<Plan> plan = planner.plan(policies.of(where.queue()), snapshot.get(), nowMs);
        if (plan.isEmpty()) {
            metrics.policyFailed();
            return;
        }
        executor.carryOut(plan.get(), snapshot.get());
        diagnostics.show(jobs);
    }

    private record QueuePartition(String queue, String partition) {}

    private Map<QueuePartition, List<Gang>> byQueue() {
        Map<QueuePartition, List<Gang>> queues = new LinkedHashMap<>();
        for (Gang gang : gangs.all()) {
            queues.computeIfAbsent(new QueuePartition(gang.queue(), gang.partition()), key -> new ArrayList<>())
                    .add(gang);
        }
        return queues;
    }
}

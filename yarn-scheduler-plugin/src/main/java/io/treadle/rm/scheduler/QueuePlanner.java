// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.plan.Certificate;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.PlanRepair;
import io.treadle.core.policy.Policy;
import io.treadle.rm.conf.SchedulerConf;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the policy of one queue and bears with it: what it decides against a rule is not carried out; a policy that
 * throws or takes too long plans nothing this round, what was decided before stands; after several failures in a row the
 * queue behaves as plain capacity for a while. Used by the planner thread; {@link #isPlain} by any.
 */
final class QueuePlanner {
    private static final Logger LOG = LoggerFactory.getLogger(QueuePlanner.class);
    /** Part of the best that there is. */
    private static final double TOLD = .01;
    /** How long the other queues wait for a policy, ms; most take a few. */
    private static final long USUAL_PATIENCE_MS = 250;
    /** The same for a policy that was slow when it last planned. */
    private static final long PATIENCE_WITH_SLOW_MS = 10;

    private final String queue;
    private final long usualPatienceMs;
    private final SchedulerConf conf;
    private final Supplier<PolicyWorker> workers;
    private final LongSupplier nanoTime;
    private final Pace pace = new Pace();
    private volatile int failures;
    private Set<String> withheld = Set.of();
    /** How far from the best that there is the last plan was that was told. */
    private double toldGap = -1;

    /** Called when a policy has ended for which no round waits any more. */
    private final Runnable endedLate;
    /** Whether the round has gone on without what the policy's thread was given last. */
    private AtomicBoolean left = new AtomicBoolean();

    private volatile PolicyWorker worker;
    /** Name of the policy that the worker was given last. */
    private String atWork = "";
    /** When the policy ended last, by {@link System#nanoTime}. */
    private volatile long endedNanos;
    /** When a trial began last; no trial runs while a plan is made. */
    private long trialNanos;

    private @Nullable Running running;
    private @Nullable Policy lastPolicy;
    /** Whether the policy took longer than the patience when it last planned. */
    private boolean slow;

    private Optional<Snapshot> plannedFor = Optional.empty();
    private volatile long plainUntilMs;
    private volatile Optional<Certificate> certificate = Optional.empty();

    private record Running(Policy policy, Snapshot snapshot, Future<PlanRepair.Result> result, long beginNanos) {}

    /** @param endedLate called by any thread when the policy has planned and its round has not waited for it */
    QueuePlanner(String queue, SchedulerConf conf, Surroundings surroundings, Runnable endedLate) {
        this(queue, conf, surroundings, endedLate, USUAL_PATIENCE_MS);
    }

    QueuePlanner(
            String queue, SchedulerConf conf, Surroundings surroundings, Runnable endedLate, long usualPatienceMs) {
        this.queue = queue;
        this.usualPatienceMs = usualPatienceMs;
        this.conf = conf;
        this.workers = surroundings.stepped() ? PolicyWorker::onTheCallersThread : PolicyWorker::new;
        this.worker = workers.get();
        this.nanoTime = surroundings.nanoTime();
        this.endedNanos = nanoTime.getAsLong();
        this.trialNanos = endedNanos - TimeUnit.DAYS.toNanos(1);
        this.endedLate = endedLate;
    }

    /** The round goes on without it. */
    private void leave(Future<?> result) {
        left.set(true);
        // It may have ended before it could see that.
        if (result.isDone()) {
            endedLate.run();
        }
    }

    private Future<PlanRepair.Result> start(Policy policy, Snapshot snapshot) {
        AtomicBoolean leftAlone = new AtomicBoolean();
        left = leftAlone;
        atWork = policy.name();
        return worker.start(
                // A plan that cannot even be checked is its policy's failure, as if it had thrown.
                () -> PlanRepair.repair(snapshot, policy.plan(snapshot), policy.stopsJobs()), () -> {
                    endedNanos = nanoTime.getAsLong();
                    if (leftAlone.get()) {
                        endedLate.run();
                    }
                });
    }

    /** How long the policy has worked since this was asked last, for rounds that waited for it and for those that did not. */
    long takeWorkedMs() {
        return TimeUnit.NANOSECONDS.toMillis(worker.takeWorkedNanos());
    }

    /**
     * The queue's policy. While a refresh is checked, the settings may be unusable until it is refused: the policy from
     * before plans then.
     */
    Policy policy(QueuePolicies policies) {
        try {
            lastPolicy = policies.of(queue);
        } catch (IllegalArgumentException e) {
            if (lastPolicy == null) {
                throw e;
            }
            LOG.info("Queue {} keeps its policy {}: {}", queue, lastPolicy.name(), e.getMessage());
        }
        return lastPolicy;
    }

    /** When the policy is asked. */
    Pace pace() {
        return pace;
    }

    /** Whether the queue behaves as plain capacity now. */
    boolean isPlain(long nowMs) {
        return nowMs < plainUntilMs;
    }

    /** How near the last plan comes to the best choice of jobs; empty where its policy tells nothing of it. */
    Optional<Certificate> certificate() {
        return certificate;
    }

    /**
     * Lets the policy plan. It is waited for a moment; a policy that takes longer plans on while other queues are
     * planned, and a later call gives its plan out.
     *
     * @return empty where the policy failed, and where it still plans ({@link #isPlanning})
     */
    Optional<Plan> plan(Policy policy, Snapshot snapshot, long nowMs) {
        Running run = running;
        long patienceMs = 0;
        if (run == null) {
            if (isTrying()) {
                return Optional.empty();
            }
            if (worker.isBusy() && !policy.name().equals(atWork)) {
                replaceWorker(policy);
            }
            if (worker.isBusy()) {
                // A trial that is given up has not been told yet.
                worker.interrupt();
                failed(policy.name(), "it still plans for an earlier round", nowMs, null);
                return Optional.empty();
            }
            run = new Running(policy, snapshot, start(policy, snapshot), nanoTime.getAsLong());
            running = run;
            patienceMs = slow ? PATIENCE_WITH_SLOW_MS : usualPatienceMs;
        }
        long leftMs = conf.policyTimeout().toMillis() - (nanoTime.getAsLong() - run.beginNanos()) / 1_000_000;
        try {
            long waitMs = Math.max(0, Math.min(patienceMs, leftMs));
            PlanRepair.Result checked = run.result().get(waitMs, TimeUnit.MILLISECONDS);
            running = null;
            long end = endedNanos;
            slow = (end - run.beginNanos() > 0 ? end : nanoTime.getAsLong()) - run.beginNanos()
                    > TimeUnit.MILLISECONDS.toNanos(usualPatienceMs);
            return accepted(run, checked, nowMs);
        } catch (TimeoutException e) {
            slow = true;
            leave(run.result());
            if (leftMs <= patienceMs) {
                running = null;
                worker.interrupt();
                failed(
                        run.policy().name(),
                        "it planned longer than " + conf.policyTimeout().toMillis() + " ms",
                        nowMs,
                        null);
            }
        } catch (ExecutionException e) {
            running = null;
            failed(run.policy().name(), String.valueOf(e.getCause()), nowMs, e.getCause());
        } catch (InterruptedException e) {
            leave(run.result());
            Thread.currentThread().interrupt();
        }
        return Optional.empty();
    }

    /** An admin has named another policy. That of before may never end, and would keep this one from planning for good. */
    private void replaceWorker(Policy policy) {
        LOG.error(
                "Policy {} of queue {} does not end: policy {} gets a thread of its own, and the other one may keep a core of this machine until the ResourceManager ends",
                atWork,
                queue,
                policy.name());
        worker.stop();
        worker = workers.get();
        slow = false;
    }

    /**
     * Lets the policy decide on another snapshot. It is waited for a moment, as for a plan. Nothing is told of what comes of it,
     * and it is no failure where the policy decides nothing good.
     *
     * @return empty where the policy is at work, so that it can be asked in a later round only
     */
    Optional<PolicyTrial> trial(Policy policy, Snapshot snapshot) {
        if (running != null || worker.isBusy()) {
            return Optional.empty();
        }
        trialNanos = nanoTime.getAsLong();
        PolicyTrial trial = new PolicyTrial(snapshot, start(policy, snapshot));
        long patienceMs = slow ? PATIENCE_WITH_SLOW_MS : usualPatienceMs;
        try {
            var unused =
                    trial.result().get(Math.min(patienceMs, conf.policyTimeout().toMillis()), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            slow = true;
            leave(trial.result());
        } catch (ExecutionException e) {
            // The trial says so.
        } catch (InterruptedException e) {
            leave(trial.result());
            Thread.currentThread().interrupt();
        }
        return Optional.of(trial);
    }

    private Optional<Plan> accepted(Running run, PlanRepair.Result checked, long nowMs) {
        Policy policy = run.policy();
        if (!checked.broken().isEmpty()) {
            failed(policy.name(), "its plan breaks a rule: " + checked.broken().get(0), nowMs, null);
            return Optional.empty();
        }
        if (nothingIsLeft(checked)) {
            String rule = checked.dropped().values().iterator().next();
            failed(policy.name(), "what it decided breaks a rule for every job, such as: " + rule, nowMs, null);
            return Optional.empty();
        }
        failures = 0;
        tellDropped(policy, checked.dropped());
        certificate = checked.plan().certificate();
        checked.plan().throughput().ifPresent(throughput -> tell(policy, throughput.gap(), throughput.text()));
        certificate.ifPresent(admitted -> tell(policy, admitted.gap(), admitted.text()));
        plannedFor = Optional.of(run.snapshot());
        return Optional.of(checked.plan());
    }

    /** Whether the policy plans for a round that has ended: it was slow. */
    boolean isPlanning() {
        return running != null || isTrying();
    }

    /** Whether its policy plans for longer than rounds wait, or has failed and is tried again. */
    boolean isInTrouble() {
        return isPlanning() || failures > 0;
    }

    /** Whether a {@link #trial} that was slow has not ended yet. */
    private boolean isTrying() {
        return worker.isBusy()
                && nanoTime.getAsLong() - trialNanos < conf.policyTimeout().toNanos();
    }

    /** What the last plan that was given out was made for; with a slow policy it is older than the round. */
    Optional<Snapshot> plannedFor() {
        return plannedFor;
    }

    private static boolean nothingIsLeft(PlanRepair.Result checked) {
        return !checked.dropped().isEmpty()
                && checked.dropped().size() == checked.plan().decisions().size();
    }

    /** Once for each job, until its decisions are good again. */
    private void tellDropped(Policy policy, Map<String, String> dropped) {
        dropped.forEach((job, rule) -> {
            if (!withheld.contains(job)) {
                LOG.warn(
                        "Policy {} of queue {} decided for {} what breaks a rule: {}. The job stays as it is.",
                        policy.name(),
                        queue,
                        job,
                        rule);
            }
        });
        withheld = dropped.keySet();
    }

    /** Whenever it has changed by a hundredth or more. */
    private void tell(Policy policy, double gap, String text) {
        if (Math.abs(gap - toldGap) >= TOLD) {
            toldGap = gap;
            LOG.info("Policy {} of queue {}: {}.", policy.name(), queue, text);
        }
    }

    /** Something beside the policy went wrong in its queue's round: that counts as if it had failed itself. */
    void roundFailed(Throwable cause, long nowMs) {
        failed("", String.valueOf(cause), nowMs, cause);
    }

    /** The settings are new: what failed before may be mended, and limits may have changed. */
    void refreshed() {
        failures = 0;
        plainUntilMs = 0;
        pace.refreshed();
    }

    /** Whether a plan that nobody waits for any more is still under way. */
    boolean isBusy() {
        return worker.isBusy();
    }

    private void failed(String policy, String why, long nowMs, @Nullable Throwable cause) {
        int inARow = failures + 1;
        failures = inARow;
        if (inARow == 1) {
            LOG.warn("Policy {} of queue {} failed: {}. What was decided before stands.", policy, queue, why, cause);
        }
        if (inARow >= conf.policyFailures()) {
            plainUntilMs = nowMs + conf.policyRetry().toMillis();
            LOG.error(
                    "Policy {} of queue {} failed {} times in a row, last: {}. The queue behaves as plain capacity for {} s, then the policy is tried again.",
                    policy,
                    queue,
                    inARow,
                    why,
                    conf.policyRetry().toSeconds());
            failures = 0;
        }
    }

    void stop() {
        worker.stop();
    }
}

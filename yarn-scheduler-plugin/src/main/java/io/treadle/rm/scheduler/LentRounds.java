// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.bridge.GangClaims;
import io.treadle.rm.bridge.SchedulerAccess;
import io.treadle.rm.bridge.SnapshotBuilder;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.gang.GangTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * Starts gangs without a label on idle nodes of partitions that are not exclusive, as YARN does with asks of other
 * applications. These nodes are the last choice: a gang is planned there once its own queue's round has let it wait for a
 * while. The queue's policy places it. After that nobody plans its tasks there, as on any node that is not of the gang's partition.
 * Used by the planner thread.
 */
final class LentRounds {
    /** So long a gang waits for its own nodes first, ms. YARN lets about one heartbeat of each node pass. */
    private static final long PATIENCE_MS = 1_000;

    /** After a plan that starts none of a user's gangs there, the next comes so much later, ms. */
    private static final long PAUSE_MS = 3_000;

    private record Borrower(String queue, String user) {}

    private final SchedulerAccess scheduler;
    private final GangTable gangs;
    private final SnapshotBuilder snapshots;
    private final PlanExecutor executor;
    private final Map<ApplicationId, Long> waitingSinceMs = new HashMap<>();
    private final Map<Borrower, Long> notBeforeMs = new HashMap<>();
    /** What slow policies have been asked. */
    private final Map<Borrower, PolicyTrial> trials = new HashMap<>();

    LentRounds(SchedulerAccess scheduler, GangTable gangs, SnapshotBuilder snapshots, PlanExecutor executor) {
        this.scheduler = scheduler;
        this.gangs = gangs;
        this.snapshots = snapshots;
        this.executor = executor;
    }

    /**
     * After all queues are planned, for a queue's gangs.
     *
     * @param undisturbed whether no refresh of the queues has come meanwhile: otherwise nothing is decided
     */
    void afterPlans(ReservationRounds.QueueRound round, BooleanSupplier undisturbed) {
        Set<String> lending = round.partition().isEmpty() ? scheduler.lendingPartitions() : Set.of();
        if (lending.isEmpty()) {
            return;
        }
        Set<ApplicationId> waiting = round.snapshot().jobs().stream()
                .filter(ReservationRounds::waits)
                .map(job -> ApplicationId.fromString(job.id()))
                .collect(Collectors.toSet());
        Map<String, List<Gang>> byUser = new LinkedHashMap<>();
        for (Gang gang : round.jobs()) {
            if (!waiting.contains(gang.id())) {
                waitingSinceMs.remove(gang.id());
            } else if (round.nowMs() - waitingSinceMs.computeIfAbsent(gang.id(), id -> round.nowMs()) >= PATIENCE_MS) {
                byUser.computeIfAbsent(gang.user(), user -> new ArrayList<>()).add(gang);
            }
        }
        trials.keySet()
                .removeIf(borrower -> borrower.queue().equals(round.queue()) && !byUser.containsKey(borrower.user()));
        byUser.forEach((user, theirs) -> {
            Borrower borrower = new Borrower(round.queue(), user);
            if (round.nowMs() >= notBeforeMs.getOrDefault(borrower, 0L)) {
                trial(round, lending, borrower, theirs)
                        .filter(trial -> undisturbed.getAsBoolean())
                        .ifPresent(trial -> carryOut(trial, borrower, theirs, round.nowMs()));
            }
        });
    }

    /** Forgets jobs that have ended. */
    void keep(Collection<Gang> all) {
        waitingSinceMs.keySet().retainAll(all.stream().map(Gang::id).collect(Collectors.toSet()));
        Set<Borrower> borrowers = all.stream()
                .map(gang -> new Borrower(gang.queue(), gang.user()))
                .collect(Collectors.toSet());
        trials.keySet().retainAll(borrowers);
        notBeforeMs.keySet().retainAll(borrowers);
    }

    private Optional<PolicyTrial> trial(
            ReservationRounds.QueueRound round, Set<String> lending, Borrower borrower, List<Gang> waiting) {
        return Optional.ofNullable(trials.remove(borrower)).or(() -> snapshot(round, lending, waiting)
                .flatMap(snapshot -> round.planner().trial(round.policy(), snapshot)));
    }

    private void carryOut(PolicyTrial trial, Borrower borrower, List<Gang> waiting, long nowMs) {
        if (!trial.isDone()) {
            trials.put(borrower, trial);
            return;
        }
        Set<String> ids = waiting.stream()
                .filter(gang -> isWaiting(gang, trial.snapshot()))
                .map(gang -> gang.id().toString())
                .collect(Collectors.toSet());
        List<Decision> starts = trial.plan().map(Plan::decisions).orElse(List.of()).stream()
                .filter(decision -> decision instanceof Decision.Run && ids.contains(decision.jobId()))
                .toList();
        if (starts.isEmpty()) {
            notBeforeMs.put(borrower, nowMs + PAUSE_MS);
        } else {
            executor.carryOut(new Plan(starts), trial.snapshot());
        }
    }

    /** Whether it is as the snapshot shows it: the round of its queue may have started it. */
    private static boolean isWaiting(Gang gang, Snapshot snapshot) {
        return gang.state() == Gang.State.WAITING
                || snapshot.jobs().stream()
                        .anyMatch(job ->
                                job.running() && job.id().equals(gang.id().toString()));
    }

    /** Empty where none of them would find room by the sum of what is free. */
    private Optional<Snapshot> snapshot(ReservationRounds.QueueRound round, Set<String> lending, List<Gang> waiting) {
        List<Gang> others =
                gangs.all().stream().filter(gang -> !waiting.contains(gang)).toList();
        return snapshots
                .buildLent(
                        round.queue(), lending, waiting, others, round.policy().stopsJobs(), round.nowMs())
                .filter(snapshot -> {
                    ResourceVector free = snapshot.nodes().stream()
                            .filter(NodeView::open)
                            .map(NodeView::available)
                            .reduce(ResourceVector.ZERO, ResourceVector::plus);
                    return snapshot.jobs().stream()
                            .filter(ReservationRounds::waits)
                            .map(GangClaims::need)
                            .anyMatch(need -> need.fitsIn(free));
                });
    }
}

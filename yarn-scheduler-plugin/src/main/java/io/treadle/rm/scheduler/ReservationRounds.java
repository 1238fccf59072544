// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.policy.Policy;
import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.bridge.Claimant;
import io.treadle.rm.bridge.GangClaims;
import io.treadle.rm.bridge.GangReservation;
import io.treadle.rm.bridge.GangReservations;
import io.treadle.rm.bridge.NodeReservations;
import io.treadle.rm.bridge.RoomFinder;
import io.treadle.rm.bridge.RoomPreemption;
import io.treadle.rm.bridge.SnapshotBuilder;
import io.treadle.rm.conf.ReservationSettings;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.metrics.TreadleMetrics;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that gangs get what the guarantees of their queues promise. CapacityScheduler hands out room container by container
 * as it becomes free, so that a gang beside a busy queue never finds room for all its tasks at once. For one gang in each queue,
 * the first by priority and submission that is owed room and has waited for a while, room is reserved on nodes until the gang has
 * all it needs, and then the gang starts there. Used by the planner thread.
 */
final class ReservationRounds {
    private static final Logger LOG = LoggerFactory.getLogger(ReservationRounds.class);
    /** Where no room was found, how long it takes at least until it is looked for again, ms. */
    private static final long SEARCH_AGAIN_MS = 1_000;

    private static final String SHOWN = ". Room is reserved for it";

    /**
     * One queue's round.
     *
     * @param jobs the gangs of the queue on nodes of one partition
     * @param others gangs of other queues there
     * @param snapshot what the policy has planned on in this round
     */
    record QueueRound(
            String queue,
            String partition,
            List<Gang> jobs,
            List<Gang> others,
            Policy policy,
            QueuePlanner planner,
            Snapshot snapshot) {
        long nowMs() {
            return snapshot.nowMs();
        }
    }

    private record Candidate(Gang gang, JobView job) {}

    /**
     * @param way which of the ways to find room it tries
     */
    private record Pending(PolicyTrial trial, int way) {}

    private final ReservationSettings settings;
    private final GangReservations reservations;
    private final GangClaims claims;
    private final RoomFinder finder;
    private final NodeReservations nodeReservations;
    private final RoomPreemption preemption;
    private final SnapshotBuilder snapshots;
    private final PlanExecutor executor;
    private final TreadleMetrics metrics;
    /** Where gangs were planned last. */
    private final Map<ApplicationId, String> queues = new HashMap<>();

    private final Map<ApplicationId, Long> waitingSinceMs = new HashMap<>();
    private final Map<ApplicationId, Long> notBeforeMs = new HashMap<>();
    private final HoldingTimes holding;
    /** What slow policies have been asked for gangs. */
    private final Map<ApplicationId, Pending> trials = new HashMap<>();

    ReservationRounds(
            ReservationSettings settings,
            GangReservations reservations,
            GangClaims claims,
            RoomFinder finder,
            NodeReservations nodeReservations,
            RoomPreemption preemption,
            SnapshotBuilder snapshots,
            PlanExecutor executor,
            TreadleMetrics metrics) {
        this.settings = settings;
        this.reservations = reservations;
        this.claims = claims;
        this.finder = finder;
        this.nodeReservations = nodeReservations;
        this.preemption = preemption;
        this.snapshots = snapshots;
        this.executor = executor;
        this.metrics = metrics;
        this.holding = new HoldingTimes(settings.atMost());
    }

    /** Before a queue whose policy works is planned: what CapacityScheduler reserved for its gangs is of no use to them. */
    void beforePlan(List<Gang> jobs) {
        nodeReservations.dropThoseOf(jobs);
    }

    /** After a queue is planned. */
    void afterPlan(QueueRound round) {
        if (settings.atMost().isZero()) {
            return;
        }
        Map<ApplicationId, JobView> waiting = round.snapshot().jobs().stream()
                .filter(ReservationRounds::waits)
                .collect(Collectors.toMap(job -> ApplicationId.fromString(job.id()), Function.identity()));
        for (Gang gang : round.jobs()) {
            String before = queues.put(gang.id(), round.queue());
            if (before != null && !before.equals(round.queue())) {
                // Who comes before it, what is owed and what its policy was asked were matters of the queue that it has
                // left.
                waitingSinceMs.remove(gang.id());
                giveUp(gang, round.nowMs());
            }
            JobView job = waiting.get(gang.id());
            // The round may have started it, which its snapshot does not show.
            if (job != null && (job.running() || gang.state() == Gang.State.WAITING)) {
                waitingSinceMs.putIfAbsent(gang.id(), round.nowMs());
            } else {
                waitingSinceMs.remove(gang.id());
                giveUp(gang, round.nowMs());
                holding.forget(gang.id());
            }
        }
        Optional<Gang> holder = round.jobs().stream()
                .filter(gang -> reservations.of(gang.id()).isPresent())
                .findFirst();
        Optional<Candidate> next = holder.isPresent()
                ? Optional.empty()
                : underTrial(round, waiting).or(() -> candidate(round, waiting));
        Optional<Gang> served = holder.or(() -> next.map(Candidate::gang));
        round.jobs().stream()
                .filter(gang -> !served.equals(Optional.of(gang)))
                .forEach(gang -> trials.remove(gang.id()));
        if (holder.isPresent()) {
            JobView job = waiting.get(holder.get().id());
            if (job != null) {
                goOn(round, holder.get(), job);
            }
        } else {
            next.ifPresent(found -> reserve(round, found.gang(), found.job()));
        }
    }

    /** Whether room is reserved for any gang. */
    boolean isHolding() {
        return !reservations.all().isEmpty();
    }

    /** After all queues are planned. */
    void roundEnds(Collection<Gang> all) {
        Set<ApplicationId> ids = all.stream().map(Gang::id).collect(Collectors.toSet());
        queues.keySet().retainAll(ids);
        waitingSinceMs.keySet().retainAll(ids);
        notBeforeMs.keySet().retainAll(ids);
        holding.keep(ids);
        trials.keySet().retainAll(ids);
        for (GangReservation reservation : reservations.all()) {
            if (!ids.contains(reservation.gang())) {
                reservations.remove(reservation.gang());
            }
        }
        preemption.keep(reservations.all().stream().map(GangReservation::gang).collect(Collectors.toSet()));
        metrics.reservations(reservations.all().size());
    }

    /** A queue behaves as plain capacity: its gangs' containers come one by one, and need no room for all at once. */
    void queueIsPlain(List<Gang> jobs, long nowMs) {
        jobs.forEach(gang -> giveUp(gang, nowMs));
    }

    private void goOn(QueueRound round, Gang gang, JobView job) {
        GangReservation reservation = renewed(gang);
        if (round.nowMs() >= reservation.untilMs()) {
            // From now on it is behind those that have waited longer: else two would take all turns.
            waitingSinceMs.put(gang.id(), round.nowMs());
            LOG.info(
                    "Room was reserved for the gang of {} for {} s in all and did not become free: it is given up",
                    gang.id(),
                    settings.atMost().toSeconds());
            giveUp(gang, round.nowMs());
            return;
        }
        if (!claims.stands(gang, reservation) || !claims.isOwed(gang, job, round.snapshot(), reservation.before())) {
            giveUp(gang, round.nowMs());
            return;
        }
        ResourceVector all = reservation.all();
        ResourceVector free = claims.free(reservation);
        if (!all.fitsIn(free) && all.fitsIn(claims.freeOnNodes(reservation))) {
            nodeReservations.dropForRoomOf(gang, round.snapshot().capacity());
            free = claims.free(reservation);
        }
        if (all.fitsIn(free)) {
            start(round, gang, job);
        } else {
            preemption.goOn(reservation, GangClaims.need(job), round.snapshot().capacity(), round.nowMs());
        }
        if (reservations.of(gang.id()).isPresent()) {
            show(gang, reservation, all, free, round.nowMs());
        }
    }

    /** With those that come before the gang now, and what its user may hold now. */
    private GangReservation renewed(Gang gang) {
        GangReservation reservation = reservations.of(gang.id()).orElseThrow();
        GangReservation now = reservation.renewed(claims.servedBefore(gang, reservation), claims.userLimit(gang));
        if (!now.equals(reservation)) {
            reservations.put(now);
        }
        return now;
    }

    private void giveUp(Gang gang, long nowMs) {
        reservations.of(gang.id()).ifPresent(given -> holding.ended(given, nowMs));
        reservations.remove(gang.id());
        trials.remove(gang.id());
    }

    /** Plans with this gang alone beside those that run, and with its room. */
    private void start(QueueRound round, Gang gang, JobView job) {
        Optional<PolicyTrial> trial = Optional.ofNullable(trials.remove(gang.id()))
                .map(Pending::trial)
                .or(() -> snapshot(round, gang, Claimant.of(gang.id()))
                        .flatMap(snapshot -> round.planner().trial(round.policy(), snapshot)));
        if (trial.isEmpty() || isLate(gang, trial.get(), 0)) {
            return;
        }
        Optional<Plan> plan = trial.get().plan();
        if (plan.isPresent() && run(plan.get(), gang).isPresent()) {
            Plan carried = round.policy().stopsJobs() ? only(plan.get(), gang) : plan.get();
            executor.carryOut(carried, trial.get().snapshot());
            if (!job.running() && gang.state() == Gang.State.RUNNING) {
                reservations.remove(gang.id());
            }
        }
    }

    /** Keeps a trial that is not done for a later round. */
    private boolean isLate(Gang gang, PolicyTrial trial, int way) {
        if (trial.isDone()) {
            return false;
        }
        trials.put(gang.id(), new Pending(trial, way));
        return true;
    }

    /** Whether it lacks tasks: it has none yet, or has lost some and cannot train without. */
    static boolean waits(JobView job) {
        return !job.running() || job.groups().stream().anyMatch(group -> job.missing(group) > 0);
    }

    /** The gang for which a slow policy is asked: it is next until all ways are tried. */
    private Optional<Candidate> underTrial(QueueRound round, Map<ApplicationId, JobView> waiting) {
        return round.jobs().stream()
                .filter(gang -> trials.containsKey(gang.id()))
                .flatMap(gang ->
                        Optional.ofNullable(waiting.get(gang.id())).map(job -> new Candidate(gang, job)).stream())
                .filter(candidate -> mayReserve(round, candidate))
                .findFirst();
    }

    private Optional<Candidate> candidate(QueueRound round, Map<ApplicationId, JobView> waiting) {
        long nowMs = round.nowMs();
        return round.jobs().stream()
                .filter(gang -> {
                    Long since = waitingSinceMs.get(gang.id());
                    return since != null
                            && nowMs - since >= settings.after().toMillis()
                            && nowMs >= notBeforeMs.getOrDefault(gang.id(), 0L);
                })
                .flatMap(gang ->
                        Optional.ofNullable(waiting.get(gang.id())).map(job -> new Candidate(gang, job)).stream())
                .sorted(Comparator.<Candidate>comparingInt(
                                candidate -> -candidate.job().priority())
                        .thenComparingLong(candidate ->
                                waitingSinceMs.getOrDefault(candidate.gang().id(), nowMs)))
                .filter(candidate -> mayReserve(round, candidate))
                .findFirst();
    }

    private boolean mayReserve(QueueRound round, Candidate candidate) {
        return holding.leftMs(candidate.gang().id(), round.nowMs()) > 0
                && claims.isOwedBesideOthers(
                        candidate.gang(), candidate.job(), round.snapshot(), claims.servedBefore(candidate.gang()))
                && claims.mayBeReserved(candidate.gang(), candidate.job(), round.snapshot(), settings.mostPercent());
    }

    /** Tries one way to find room after the other; with a slow policy, one in a round. */
    private void reserve(QueueRound round, Gang gang, JobView job) {
        int way = 0;
        Pending pending = trials.remove(gang.id());
        if (pending != null) {
            if (isLate(gang, pending.trial(), pending.way()) || isReserved(round, gang, job, pending.trial())) {
                return;
            }
            way = pending.way() + 1;
        }
        List<Claimant> ways = finder.find(
                job, round.snapshot(), round.partition(), Duration.ofMillis(holding.leftMs(gang.id(), round.nowMs())));
        for (; way < ways.size(); way++) {
            Optional<Snapshot> snapshot = snapshot(round, gang, ways.get(way));
            if (snapshot.isEmpty()) {
                continue;
            }
            Optional<PolicyTrial> trial = round.planner().trial(round.policy(), snapshot.get());
            if (trial.isEmpty()) {
                if (pending != null) {
                    // The way after it is tried when the policy has planned for the queue.
                    trials.put(gang.id(), pending);
                }
                return;
            }
            if (isLate(gang, trial.get(), way) || isReserved(round, gang, job, trial.get())) {
                return;
            }
        }
        long pauseMs = Math.max(SEARCH_AGAIN_MS, settings.after().toMillis());
        notBeforeMs.merge(gang.id(), round.nowMs() + pauseMs, Math::max);
    }

    /** Reserves room where the policy would start the gang, if it would. */
    private boolean isReserved(QueueRound round, Gang gang, JobView job, PolicyTrial trial) {
        Optional<Decision.Run> run = trial.plan().flatMap(plan -> run(plan, gang));
        if (run.isEmpty()) {
            return false;
        }
        Map<NodeId, ResourceVector> rooms = rooms(run.get(), job);
        GangReservation reservation = new GangReservation(
                gang.id(),
                round.partition(),
                rooms,
                round.nowMs() + holding.leftMs(gang.id(), round.nowMs()),
                claims.servedBefore(gang),
                claims.userLimit(gang));
        reservations.put(reservation);
        LOG.info("Room is reserved for the gang of {}: {}", gang.id(), describe(rooms));
        preemption.goOn(reservation, GangClaims.need(job), round.snapshot().capacity(), round.nowMs());
        show(gang, reservation, reservation.all(), claims.free(reservation), round.nowMs());
        return true;
    }

    private Optional<Snapshot> snapshot(QueueRound round, Gang gang, Claimant claimant) {
        List<Gang> jobs = round.jobs().stream()
                .filter(other -> other.equals(gang) || !waitingSinceMs.containsKey(other.id()))
                .toList();
        return snapshots.build(
                round.queue(),
                round.partition(),
                jobs,
                round.others(),
                round.policy().stopsJobs(),
                round.nowMs(),
                claimant);
    }

    private static Optional<Decision.Run> run(Plan plan, Gang gang) {
        String id = gang.id().toString();
        return plan.decisions().stream()
                .filter(Decision.Run.class::isInstance)
                .map(Decision.Run.class::cast)
                .filter(run -> run.jobId().equals(id))
                .findFirst();
    }

    private static Plan only(Plan plan, Gang gang) {
        return new Plan(plan.decisions().stream()
                .filter(decision -> decision.jobId().equals(gang.id().toString()))
                .toList());
    }

    /** What its tasks ask for: more would keep from others what the gang can do without. */
    private static Map<NodeId, ResourceVector> rooms(Decision.Run run, JobView job) {
        Map<String, ResourceVector> asks =
                job.groups().stream().collect(Collectors.toMap(TaskGroup::name, TaskGroup::ask));
        Map<NodeId, ResourceVector> rooms = new HashMap<>();
        for (TaskPlacement task : run.tasks()) {
            rooms.merge(
                    NodeId.fromString(task.nodeId()),
                    asks.getOrDefault(task.group(), task.size()),
                    ResourceVector::plus);
        }
        return rooms;
    }

    private static String describe(Map<NodeId, ResourceVector> rooms) {
        return rooms.entrySet().stream()
                .map(room -> room.getValue().describe() + " on " + room.getKey())
                .sorted()
                .collect(Collectors.joining("; "));
    }

    private static void show(
            Gang gang, GangReservation reservation, ResourceVector all, ResourceVector free, long nowMs) {
        String before = gang.reason();
        int shown = before.indexOf(SHOWN);
        long minutes = TimeUnit.MILLISECONDS.toMinutes(reservation.untilMs() - nowMs) + 1;
        int nodes = reservation.rooms().size();
        gang.explain(
                gang.state(),
                (shown < 0 ? before : before.substring(0, shown))
                        + SHOWN
                        + " on "
                        + nodes
                        + (nodes == 1 ? " node: " : " nodes: ")
                        + all.describe()
                        + ", free there now "
                        + (free.isZero() ? "nothing" : free.describe())
                        + "; given up in "
                        + minutes
                        + " min if it has not started",
                gang.startMs());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.bridge.ContainerResizer;
import io.treadle.rm.bridge.GangCommitter;
import io.treadle.rm.bridge.NodeNames;
import io.treadle.rm.bridge.RoundedSizes;
import io.treadle.rm.bridge.Withdrawal;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.gang.GangTable;
import io.treadle.rm.metrics.TreadleMetrics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * Carries a plan out: first what shrinks and who makes way, then what starts, then what grows into the room that is left. What
 * has no room yet is planned anew once others have made way.
 */
final class PlanExecutor {
    /** A year: later than that is never. */
    private static final long FORESEEABLE_SECONDS = TimeUnit.DAYS.toSeconds(365);

    private final GangTable gangs;
    private final RoundedSizes rounding;
    private final NodeNames names;
    private final GangCommitter committer;
    private final ContainerResizer resizer;
    private final Withdrawal withdrawal;
    private final MakingWay makingWay;
    private final ModelWatch models;
    private final TreadleMetrics metrics;

    PlanExecutor(
            GangTable gangs,
            RoundedSizes rounding,
            NodeNames names,
            GangCommitter committer,
            ContainerResizer resizer,
            Withdrawal withdrawal,
            MakingWay makingWay,
            ModelWatch models,
            TreadleMetrics metrics) {
        this.gangs = gangs;
        this.rounding = rounding;
        this.names = names;
        this.committer = committer;
        this.resizer = resizer;
        this.withdrawal = withdrawal;
        this.makingWay = makingWay;
        this.models = models;
        this.metrics = metrics;
    }

    /**
     * @param snapshot what the plan was made for
     * @return whether all that was to start has started
     */
    boolean carryOut(Plan decided, Snapshot snapshot) {
        Plan plan = rounding.fitted(decided, snapshot);
        long nowMs = snapshot.nowMs();
        resizer.expire(gangs.all().stream().map(g -> g.id().toString()).collect(Collectors.toSet()), nowMs);
        forEach(plan, (gang, decision) -> metrics.resized(resizer.shrink(gang, sizes(gang, decision), nowMs)));
        forEach(plan, (gang, decision) -> {
            if (decision instanceof Decision.Stop) {
                makingWay.begin(gang, withdrawal.tasks(gang), nowMs);
            }
        });
        CountedWeights weights = new CountedWeights(snapshot);
        AtomicBoolean started = new AtomicBoolean(true);
        forEach(plan, (gang, decision) -> {
            Optional<String> refused = start(gang, decision, snapshot);
            started.compareAndSet(refused.isPresent(), false);
            explain(gang, decision, refused, nowMs, weights.note(gang, decision));
        });
        forEach(plan, (gang, decision) -> metrics.resized(resizer.grow(gang, decision.sizes(), nowMs)));
        return started.get();
    }

    /** Forgets what was kept of jobs that have ended. */
    void keep(List<Gang> jobs, long nowMs) {
        resizer.expire(jobs.stream().map(g -> g.id().toString()).collect(Collectors.toSet()), nowMs);
        makingWay.keep(jobs.stream().map(Gang::id).collect(Collectors.toSet()));
    }

    /** What of a job stays that gets other tasks may have had more: it goes on with what the others have. */
    private Map<String, ResourceVector> sizes(Gang gang, Decision decision) {
        return decision instanceof Decision.Move move
                ? withdrawal.change(gang, move.tasks()).sizes()
                : decision.sizes();
    }

    private void forEach(Plan plan, BiConsumer<Gang, Decision> action) {
        for (Decision decision : plan.decisions()) {
            gangs.find(ApplicationId.fromString(decision.jobId())).ifPresent(gang -> action.accept(gang, decision));
        }
    }

    /** Whether one of these jobs makes way for others; what was decided for them stands meanwhile. */
    boolean isMakingWay(List<Gang> jobs, long nowMs) {
        makingWay.keep(gangs.all().stream().map(Gang::id).collect(Collectors.toSet()));
        return makingWay.goesOn(jobs, nowMs);
    }

    private Optional<String> start(Gang gang, Decision decision, Snapshot snapshot) {
        if (decision instanceof Decision.Run run) {
            return start(gang, run.tasks(), snapshot);
        }
        if (decision instanceof Decision.Move move) {
            Withdrawal.Change change = withdrawal.change(gang, move.tasks());
            makingWay.begin(gang, change.leave(), snapshot.nowMs());
            // The ApplicationMaster forms its gang once: first with what is left, or at once with what is new.
            return change.leave().isEmpty() ? start(gang, change.start(), snapshot) : Optional.empty();
        }
        return Optional.empty();
    }

    private Optional<String> start(Gang gang, List<TaskPlacement> tasks, Snapshot snapshot) {
        Optional<String> refused = names.obstacle(tasks).or(() -> committer.commit(gang, tasks));
        if (refused.isEmpty()) {
            metrics.gangGranted();
            models.started(snapshot, gang, tasks);
        } else if (!GangCommitter.isMomentary(refused)) {
            metrics.gangRefused();
        }
        return refused;
    }

    private static void explain(Gang gang, Decision decision, Optional<String> refused, long nowMs, String note) {
        if (refused.isPresent()) {
            gang.explain(Gang.State.WAITING, "Gang starts as soon as there is room: " + refused.get());
            return;
        }
        boolean waits = decision instanceof Decision.Wait || decision instanceof Decision.Stop;
        OptionalLong inSeconds = decision.reason().inSeconds();
        gang.explain(
                waits ? Gang.State.WAITING : Gang.State.RUNNING,
                decision.reason().text() + note,
                waits && inSeconds.isPresent() && inSeconds.getAsLong() < FORESEEABLE_SECONDS
                        ? OptionalLong.of(nowMs + TimeUnit.SECONDS.toMillis(inSeconds.getAsLong()))
                        : OptionalLong.empty());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.profile.EnergyObservation;
import io.treadle.am.profile.EnergyProfiler;
import io.treadle.am.web.JobEnergy;
import io.treadle.core.wire.EnergyFile;
import io.treadle.core.wire.EnergyPoint;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.WorkerCommand;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches what the job's GPUs spend: measures it under caps, and adds it up. Guarded by the {@link JobMaster}. */
final class EnergyWatch {
    private static final Logger LOG = LoggerFactory.getLogger(EnergyWatch.class);

    /** Draw is told over so long; nodes read their devices every few seconds. */
    private static final double DRAW_SECONDS = 10;

    private static final double LEAST_DRAW_SECONDS = 1;
    /** Batches differ at the end of an epoch; who has another one for longer has changed it. */
    private static final double OWN_SECONDS = 30;
    /** After workers have come or left beside others, until all have told of the batch that they have now. */
    private static final double SETTLE_SECONDS = 5;

    private final EnergyProfiler profiler;
    private final PowerDriver driver;
    private final BatchDriver batches;
    /** Of containers that have ended too, mJ. */
    private final Map<String, Long> spent = new HashMap<>();
    /** Before a node began to count anew, mJ. */
    private long spentBefore;

    private Optional<JobEnergy> energy = Optional.empty();
    private String told = "";
    /** Samples of a pass of all of so many workers when they were first seen: those that the speed is known of. */
    private long usualBatch;

    private int usualWorkers;
    private double settledSeconds;
    /** Since when the job has another batch than that, by itself. */
    private double otherSeconds = Double.NaN;

    private long batch;

    EnergyWatch(EnergyProfiler profiler, PowerDriver driver, BatchDriver batches) {
        this.profiler = profiler;
        this.driver = driver;
        this.batches = batches;
    }

    void resume(ProfileRecord saved) {
        boolean ready = saved.phase() == ProfileRecord.Phase.READY;
        profiler.resume(saved.energy(), ready);
        // It was in the middle of its batches only if it measures at all.
        if (profiler.isMeasuring()) {
            batches.restored();
        }
    }

    void onKnownProfile(ProfileRecord known) {
        profiler.know(known.energy());
    }

    /**
     * Looks at the job.
     *
     * @param members of the profiled group
     * @param running whether all of them run
     * @param speedIsKnown whether the job's speed over vcores is measured
     * @param otherCommand whether workers are asked for something else than a batch
     */
    void observe(
            List<Member> members, boolean running, int start, boolean speedIsKnown, boolean otherCommand, double now) {
        EnergyObservation observation = observation(members, running, start, now);
        batch = observation.batch();
        if (running && !profiler.isCapping() && !batches.mayBeOther()) {
            observeOwnBatch(members.size(), now);
        }
        profiler.observe(observation, speedIsKnown);
        driver.drive(running ? profiler.wantedCapWatts() : OptionalDouble.empty(), members, now);
        batches.drive(running ? profiler.wantedBatchSize() : OptionalLong.empty(), members, start, otherCommand);
        add(members);
        energy = look(members, observation, now);
        if (!told.equals(profiler.describe())) {
            told = profiler.describe();
            LOG.info("energy: {}", told.isEmpty() ? "measured" : told);
        }
    }

    /** What nobody asked for is the job's own; where it has another one for longer, that is from then on. */
    private void observeOwnBatch(int workers, double now) {
        if (usualWorkers > 0 && usualWorkers != workers) {
            usualBatch = 0;
            settledSeconds = now + SETTLE_SECONDS;
        }
        usualWorkers = workers;
        if (now < settledSeconds) {
            return;
        }
        boolean isUsual = EnergyObservation.areAlike(batch, usualBatch);
        otherSeconds = isUsual || batch == 0 ? Double.NaN : Double.isNaN(otherSeconds) ? now : otherSeconds;
        if (usualBatch == 0 || now - otherSeconds > OWN_SECONDS) {
            usualBatch = batch;
            otherSeconds = Double.NaN;
        }
    }

    private EnergyObservation observation(List<Member> members, boolean running, int start, double now) {
        List<EnergyFile> files =
                members.stream().flatMap(m -> m.energy.stream()).toList();
        boolean metered = !files.isEmpty() && files.size() == members.size();
        return new EnergyObservation(
                now,
                running,
                start,
                members.stream().mapToLong(m -> m.vcoresSeen).min().orElse(0),
                driver.hasOwnPower(members),
                metered ? files.stream().mapToInt(EnergyFile::gpus).sum() : 0,
                (int) members.stream().map(m -> m.granted.host()).distinct().count(),
                members.size(),
                batch(members),
                passes(members),
                batches.answer(),
                lowest(files, EnergyFile::effectiveCapWatts),
                -lowest(files, f -> -f.effectiveCapWatts()),
                -lowest(files, f -> -f.leastCapWatts()),
                lowest(files, EnergyFile::defaultCapWatts),
                JobViews.series(members),
                members.stream().map(m -> m.energySeries).toList());
    }

    /** 0 until all have said theirs: each start begins so. */
    private static long batch(List<Member> members) {
        return members.stream().allMatch(m -> m.batchSize > 0)
                ? members.stream().mapToLong(m -> m.batchSize).sum()
                : 0;
    }

    private static long passes(List<Member> members) {
        return members.stream().allMatch(m -> m.passes > 0)
                ? members.stream().mapToLong(m -> m.passes).max().orElse(0)
                : 0;
    }

    private static double lowest(List<EnergyFile> files, ToDoubleFunction<EnergyFile> watts) {
        return files.stream().mapToDouble(watts).min().orElse(0);
    }

    private void add(List<Member> members) {
        for (Member member : members) {
            member.energy.ifPresent(file -> {
                Long before = spent.put(member.id(), file.millijoules());
                spentBefore += before != null && before > file.millijoules() ? before : 0;
            });
        }
    }

    private Optional<JobEnergy> look(List<Member> members, EnergyObservation now, double nowSeconds) {
        if (spent.isEmpty()) {
            return Optional.empty();
        }
        double watts = 0;
        for (Member member : members) {
            watts += member.energySeries
                    .wattsFrom(nowSeconds - DRAW_SECONDS, LEAST_DRAW_SECONDS)
                    .orElse(0);
        }
        double speed = members.stream().mapToDouble(m -> m.samplesPerSecond).sum();
        long millijoules =
                spentBefore + spent.values().stream().mapToLong(Long::longValue).sum();
        return Optional.of(new JobEnergy(
                millijoules / 1e3,
                watts,
                watts > 0 && speed > 0 ? watts / speed : 0,
                now.lowestCapWatts(),
                now.defaultCapWatts()));
    }

    /** The job is not what it was. */
    void beginAgain() {
        profiler.beginAgain();
        usualBatch = 0;
    }

    /** Whether the job's speed is told by nothing but its size: what a cap does to it, or another batch, is no drift. */
    boolean leavesSpeedAlone() {
        return !profiler.isCapping()
                && (EnergyObservation.areAlike(batch, usualBatch) || batch == 0)
                && energy.map(e -> e.capWatts() == 0
                                || e.defaultCapWatts() == 0
                                || EnergyPoint.areAlike(e.capWatts(), e.defaultCapWatts()))
                        .orElse(true);
    }

    /** What workers are asked where nothing else is. */
    Optional<WorkerCommand> command() {
        return batches.command();
    }

    boolean isMeasuring() {
        return profiler.isMeasuring();
    }

    List<EnergyPoint> points() {
        return profiler.points();
    }

    boolean takeChanged() {
        return profiler.takeChanged();
    }

    /** One line for people; empty where there is nothing to say. */
    String describe() {
        return profiler.describe();
    }

    /** What was spent; empty where no node says. */
    Optional<JobEnergy> energy() {
        return energy;
    }
}

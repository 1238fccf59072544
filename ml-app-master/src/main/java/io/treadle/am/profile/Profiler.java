// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import io.treadle.core.wire.ProfileDataset;
import io.treadle.core.wire.ProfileRecord;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Finds a job's speed over vcores while it trains. Stepping: from the size that it started at down to the least that
 * it can live with, back, up while more is granted and helps, and to those between that the others leave open. It ends at
 * the size that was measured last, or goes back up from one that holds it back: what it has more than it can use the
 * scheduler takes, who then knows the profile. Given back before, it would go to others for a moment. After that it only
 * watches: what the job does at the sizes that the scheduler gives it refines the points, and where it contradicts them
 * for long, stepping begins again. Not thread-safe.
 */
public final class Profiler {
    private enum Stage {
        /** Until every worker has reported progress. */
        WARMING,
        DOWN,
        UP,
        /** At sizes of which those around them do not tell enough. */
        BETWEEN,
        /** Up to the size that it is left at. */
        RETURNING,
        /** Done: only watching. */
        READY
    }

    private static final int MOST_KNOWN = 64;

    private final ProfileSettings settings;
    private final ProfilePoints points = new ProfilePoints();
    private final SizeMeter meter;
    private final ProfileWatch watch;

    private Stage stage = Stage.WARMING;
    private double begunSeconds = Double.NaN;
    private double stageSeconds;
    private long start;
    private long target;
    private double speedBefore;
    private boolean changed;
    /** Whether an earlier ApplicationMaster has begun to step. */
    private boolean resumed;
    /** Whether the job can have only one size. */
    private boolean hasOneSize;

    private double lastSeconds = Double.NaN;
    private double readySeconds = Double.NEGATIVE_INFINITY;
    /** Workers that the points are of; 0 before there are any. */
    private int workers;

    private int jobs = 1;
    /** That the points were measured with. */
    private Optional<ProfileDataset> dataset = Optional.empty();

    public Profiler(ProfileSettings settings) {
        this.settings = settings;
        this.meter = new SizeMeter(settings);
        this.watch = new ProfileWatch(points, settings.smallestDrift());
        if (!settings.enabled()) {
            stage = Stage.READY;
        }
    }

    /** The job's speed is known from earlier jobs: nothing is stepped through. */
    public void skip(ProfileRecord known) {
        takeOver(known);
        hasOneSize = known.complete();
        jobs = known.jobs() + 1;
        stage = Stage.READY;
        changed = true;
    }

    /** An earlier ApplicationMaster has come so far; stepping continues with the sizes that it had not measured. */
    public void resume(ProfileRecord saved) {
        takeOver(saved);
        jobs = saved.jobs();
        if (saved.phase() == ProfileRecord.Phase.READY) {
            hasOneSize = saved.complete();
            stage = Stage.READY;
            changed = true;
        } else {
            resumed = true;
        }
    }

    /**
     * What the job reads now, as far as its workers say. A dataset may grow, and may be another one than an earlier
     * job's.
     */
    public void reads(Optional<ProfileDataset> now) {
        if (now.isEmpty()) {
            return;
        }
        if (dataset.isPresent() && !dataset.get().isAsLargeAs(now.get())) {
            points.forgetMemory();
            watch.restart();
            changed = true;
        }
        if (dataset.isEmpty() || !dataset.get().isAsLargeAs(now.get())) {
            dataset = now;
        }
    }

    private void takeOver(ProfileRecord record) {
        dataset = record.dataset();
        points.putAll(record.points());
        workers = record.workers();
    }

    /** Whether the job may be resized by its ApplicationMaster. */
    public ProfileRecord.Phase phase() {
        return stage == Stage.READY ? ProfileRecord.Phase.READY : ProfileRecord.Phase.PROFILING;
    }

    public List<ProfileRecord.Point> points() {
        return points.list();
    }

    /** How many jobs' measurements the points hold. */
    public int jobs() {
        return jobs;
    }

    /**
     * Whether the points tell how the speed depends on the size. Two sizes do, and one size does where the job can have no
     * other. One size does not where stepping was cut off after it, or where a job that starts at its minimum was granted no
     * more: such a profile is of no use to other jobs. Profiles of jobs that are not stepped through count as complete.
     */
    public boolean isComplete() {
        int sizes = points.list().size();
        return !settings.enabled() || sizes > 1 || (sizes == 1 && hasOneSize);
    }

    /** Whether the points or the phase have changed since the last call. */
    public boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    /** The vcores that each worker should have now; empty where that is not for the profiler to say. */
    public OptionalLong wanted() {
        return stage == Stage.DOWN || stage == Stage.UP || stage == Stage.BETWEEN || stage == Stage.RETURNING
                ? OptionalLong.of(target)
                : OptionalLong.empty();
    }

    /** One line for people. */
    public String describe() {
        return switch (stage) {
            case WARMING -> "waiting for the first progress of every worker";
            case DOWN, UP, BETWEEN ->
                String.format(
                        Locale.ROOT,
                        "profiling at %d vcores, %d sizes measured",
                        target,
                        points.list().size());
            case RETURNING -> "profiling done, going to " + target + " vcores";
            case READY -> "training";
        };
    }

    /** Looks at the job; call it a few times a second. */
    public void observe(Observation now) {
        double passedSeconds = Double.isNaN(lastSeconds) ? 0 : now.seconds() - lastSeconds;
        lastSeconds = now.seconds();
        if (now.running()) {
            countWorkers(now.workers().size());
        }
        if (stage == Stage.READY) {
            watch(now);
            return;
        }
        if (!now.running()) {
            meter.restart();
            return;
        }
        if (Double.isNaN(begunSeconds)) {
            begunSeconds = now.seconds();
        }
        if (!now.heard() && wanted().isPresent() && !now.sizesAsWanted()) {
            // What was asked is lost with the ResourceManager, and asked again: time counts from then on.
            stageSeconds = now.seconds();
            begunSeconds += passedSeconds;
        }
        if (now.seconds() - begunSeconds > settings.maxSeconds() && stage != Stage.RETURNING) {
            finishOrReturn(now);
            return;
        }
        switch (stage) {
            case WARMING -> warm(now);
            case DOWN, UP, BETWEEN -> step(now);
            case RETURNING -> comeBack(now);
            case READY -> {}
        }
    }

    private void countWorkers(int now) {
        if (workers > 0 && now > 0 && now != workers) {
            double factor = (double) now / workers;
            points.rescale(factor);
            speedBefore *= factor;
            changed |= !points.list().isEmpty();
            watch.restart();
            meter.restart();
        }
        workers = now > 0 ? now : workers;
    }

    private void warm(Observation now) {
        if (now.everyoneReports() && now.vcores() > 0) {
            begin(now.originalVcores(), now);
            if (resumed) {
                passKnownSizes(now);
            }
        }
    }

    private void begin(long from, Observation now) {
        start = from;
        hasOneSize = from <= settings.minVcores() && from >= settings.maxVcores();
        enter(Stage.DOWN, start, now);
    }

    /** What an earlier ApplicationMaster has measured decides as if it were measured now. */
    private void passKnownSizes(Observation now) {
        for (int i = 0; i < MOST_KNOWN && (stage == Stage.DOWN || stage == Stage.UP || stage == Stage.BETWEEN); i++) {
            Optional<Double> speed = points.speedAt(target);
            if (speed.isEmpty()) {
                return;
            }
            next(now, speed.get());
        }
    }

    private void step(Observation now) {
        if (!now.sizesAsWanted()) {
            meter.restart();
            // An increase may be refused for want of room. A decrease is not: it is late, and asked again.
            double patience = stage == Stage.DOWN
                    ? Double.POSITIVE_INFINITY
                    : target > start ? settings.grantSeconds() : settings.stepMaxSeconds();
            if (now.seconds() - stageSeconds > patience) {
                if (stage == Stage.UP) {
                    between(now);
                } else {
                    end(start, now);
                }
            }
            return;
        }
        Optional<RateEstimate> estimate = meter.observe(now, settings.stepMinSeconds());
        if (estimate.isPresent()) {
            record(now, estimate.get());
            if (points.speedAt(target).isPresent()) {
                next(now, estimate.get().samplesPerSecond());
            } else {
                enter(stage, target, now); // Something has disturbed it: it is measured again.
            }
        } else if (now.seconds() - stageSeconds > settings.settleSeconds() + 4 * settings.stepMaxSeconds()) {
            // Too slow to be measured at this size; below it would be slower.
            if (stage == Stage.DOWN) {
                up(now);
            } else {
                end(start, now);
            }
        }
    }

    private void next(Observation now, double speed) {
        if (stage == Stage.UP) {
            if (StepRule.worthMore(speedBefore, speed) && target < settings.maxVcores()) {
                speedBefore = speed;
                enter(Stage.UP, above(target), now);
            } else {
                between(now);
            }
            return;
        }
        if (stage == Stage.BETWEEN) {
            between(now);
        } else if (target <= settings.minVcores()) {
            up(now);
        } else {
            long below = StepRule.down(settings.minVcores(), start, target, speedBefore, speed);
            speedBefore = speed;
            enter(Stage.DOWN, below, now);
        }
    }

    private void up(Observation now) {
        Optional<Double> speed = points.speedAt(start);
        Optional<Double> below = points.speedBelow(start);
        if (speed.isEmpty() && below.isPresent()) {
            // It was disturbed, as those below tell.
            speedBefore = below.get();
            enter(Stage.UP, start, now);
            return;
        }
        // Speed over vcores is concave: where the start is no faster than the size below it, more would not help
        // either.
        boolean lessIsAsFast = below.filter(less -> !StepRule.worthMore(less, speed.orElse(0.0)))
                .isPresent();
        if (!lessIsAsFast && speed.isPresent() && start < settings.maxVcores()) {
            speedBefore = speed.get();
            enter(Stage.UP, above(start), now);
        } else {
            between(now);
        }
    }

    private void between(Observation now) {
        OptionalLong open = points.open();
        if (open.isPresent()) {
            enter(Stage.BETWEEN, open.getAsLong(), now);
        } else {
            end(best(), now);
        }
    }

    /** @param least what it is left with at least */
    private void end(long least, Observation now) {
        if (now.vcores() < least) {
            enter(Stage.RETURNING, least, now);
        } else {
            ready(now);
        }
    }

    private void ready(Observation now) {
        enter(Stage.READY, now.vcores(), now);
        changed = true;
    }

    /**
     * The smallest measured size that is as fast as any, and no more than it started with: a job that can do with less would
     * take the rest for a moment only, until the scheduler knows.
     */
    private long best() {
        double fastest = points.list().stream()
                .mapToDouble(ProfileRecord.Point::samplesPerSecond)
                .max()
                .orElse(0);
        return points.list().stream()
                .filter(p -> !StepRule.worthMore(p.samplesPerSecond(), fastest))
                .mapToLong(ProfileRecord.Point::vcores)
                .filter(vcores -> vcores < start)
                .min()
                .orElse(start);
    }

    private long above(long vcores) {
        return Math.min(StepRule.up(vcores), settings.maxVcores());
    }

    private void comeBack(Observation now) {
        boolean late = now.seconds() - stageSeconds > settings.stepMaxSeconds();
        if (now.sizesAsWanted() || late) {
            ready(now);
        }
    }

    private void finishOrReturn(Observation now) {
        if (stage == Stage.WARMING) {
            ready(now);
        } else {
            end(start, now);
        }
    }

    private void watch(Observation now) {
        // Nothing waits for this: longer windows tell more.
        double atLeast = Math.max(settings.stepMinSeconds(), settings.stepMaxSeconds() / 3);
        Optional<RateEstimate> estimate = meter.observe(now, atLeast);
        if (estimate.isPresent() && now.vcores() > 0) {
            changed |= watch.add(now.with(), estimate.get());
            meter.next(now);
        }
        if (watch.hasDrifted()
                && settings.enabled()
                && settings.smallestDrift() > 0
                && now.seconds() - readySeconds >= settings.driftIntervalSeconds()) {
            beginAgain(now);
        }
    }

    private void beginAgain(Observation now) {
        points.clear();
        watch.restart();
        jobs = 1;
        resumed = false;
        speedBefore = 0;
        begunSeconds = now.seconds();
        begin(now.vcores(), now);
        changed = true;
    }

    private void record(Observation now, RateEstimate estimate) {
        changed |= points.add(now.with(), estimate);
        changed |= points.forgetDisturbed(now.with());
    }

    private void enter(Stage newStage, long newTarget, Observation now) {
        stage = newStage;
        target = newTarget;
        stageSeconds = now.seconds();
        readySeconds = newStage == Stage.READY ? now.seconds() : readySeconds;
        meter.restart();
    }
}

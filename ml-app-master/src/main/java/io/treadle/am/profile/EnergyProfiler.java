// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import io.treadle.core.wire.EnergyPoint;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Finds what a job's GPUs draw, and how fast it is, under power caps while it trains: after its speed over vcores is known it
 * steps through three caps at the GPUs that it runs on, and at each through the batches that other numbers of GPUs would bring
 * each of them. After that it only watches: each configuration that the scheduler gives
 * it becomes a point, or refines one. Not thread-safe.
 */
public final class EnergyProfiler {
    /** How long a cap may take: a node sets it at its next reading, and lets a rise wait. */
    static final double IN_FORCE_SECONDS = 45;
    /** How long after the workers' start a node may take to say what they spend. */
    static final double METERED_SECONDS = 4;
    /** Workers that say nothing for so long are not waited for: they never say anything. */
    static final double SILENT_SECONDS = 300;

    /** Of quiet measurements. */
    private static final double WATCH_SECONDS = 10;

    private static final double PUBLISH_SECONDS = 10;

    private enum Stage {
        /** Until the speed is known and the nodes say what is spent. */
        WAITING,
        STEPPING,
        /** Back to no cap. */
        RETURNING,
        /** Done: only watching. */
        READY
    }

    private final EnergySettings settings;
    private final EnergyPoints points = new EnergyPoints();
    private final EnergyMeter meter = new EnergyMeter();
    private Stage stage;
    /** Whether it goes on where it was, once caps and batches are taken back. */
    private boolean unfinished;

    private EnergySteps steps = EnergySteps.none();
    /** That the steps are of. */
    private int gpus;

    private double limitWatts;
    /** Samples of a worker's pass from which on others than its own do not fit. */
    private long tooLarge = Long.MAX_VALUE;

    private double begunSeconds = Double.NaN;
    private double stageSeconds;
    /** When a batch was last waited for. */
    private double batchSeconds;

    private double runningSeconds = Double.NaN;
    /** Since when all workers have told of progress. */
    private double trainingSeconds = Double.NaN;
    /** The gang's start in which the present step is measured. */
    private int stepsStart;

    private String note = "";
    private boolean news;
    private double newsSeconds = Double.NEGATIVE_INFINITY;
    private boolean changed;

    public EnergyProfiler(EnergySettings settings) {
        this.settings = settings;
        this.stage = settings.enabled() ? Stage.WAITING : Stage.READY;
    }

    /** What earlier jobs have measured: where that is enough, no cap is stepped through. */
    public void know(List<EnergyPoint> known) {
        points.putAll(known);
    }

    /**
     * An earlier ApplicationMaster has come so far.
     *
     * @param ready whether the job was measured; else a cap may still be in force
     */
    public void resume(List<EnergyPoint> saved, boolean ready) {
        points.putAll(saved);
        unfinished = !ready;
        stage = ready ? Stage.READY : stage;
    }

    /** The job is not what it was: what is known of it goes, and it is measured anew once its speed is known again. */
    public void beginAgain() {
        points.clear();
        meter.restart();
        stage = settings.enabled() ? Stage.WAITING : Stage.READY;
        runningSeconds = Double.NaN;
        trainingSeconds = Double.NaN;
        begunSeconds = Double.NaN;
        tooLarge = Long.MAX_VALUE;
        note = "";
        changed = true;
    }

    /** Whether the job is not for the scheduler to cap yet. */
    public boolean isMeasuring() {
        return stage != Stage.READY;
    }

    /** Whether its speed is not what it would be without caps. */
    public boolean isCapping() {
        return stage == Stage.STEPPING || stage == Stage.RETURNING;
    }

    public List<EnergyPoint> points() {
        return points.list();
    }

    /** Whether the points or the phase have changed since the last call. */
    public boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    /** The cap that each GPU should have now, W; 0 for none; empty where that is not for the profiler to say. */
    public OptionalDouble wantedCapWatts() {
        return switch (stage) {
            case STEPPING ->
                OptionalDouble.of(
                        steps.current().capWatts() >= limitWatts
                                ? 0
                                : steps.current().capWatts());
            case RETURNING -> OptionalDouble.of(0);
            case WAITING, READY -> OptionalDouble.empty();
        };
    }

    /** The samples that each worker should take in a pass now; 0 for as many as it would; empty where that is not to say. */
    public OptionalLong wantedBatchSize() {
        return switch (stage) {
            case STEPPING -> OptionalLong.of(steps.current().batchSize());
            case RETURNING -> OptionalLong.of(0);
            case WAITING, READY -> OptionalLong.empty();
        };
    }

    /** One line for people; empty where there is nothing to say. */
    public String describe() {
        return switch (stage) {
            case STEPPING ->
                String.format(
                        Locale.ROOT,
                        "measuring energy at %.0f watts per GPU%s, %d of %d settings",
                        steps.current().capWatts(),
                        steps.current().batchSize() == 0
                                ? ""
                                : " and " + steps.current().batchSize() + " samples per pass",
                        steps.number(),
                        steps.count());
            case RETURNING -> "energy measured, waiting for cap and batch to be taken back";
            case WAITING, READY -> note;
        };
    }

    /**
     * Looks at the job; call it a few times a second.
     *
     * @param speedIsKnown whether its speed over vcores is measured
     */
    public void observe(EnergyObservation now, boolean speedIsKnown) {
        if (!now.running()) {
            meter.restart();
            runningSeconds = Double.NaN;
            trainingSeconds = Double.NaN;
            stageSeconds = now.seconds();
            return;
        }
        runningSeconds = Double.isNaN(runningSeconds) ? now.seconds() : runningSeconds;
        trainingSeconds = Double.isNaN(trainingSeconds) && now.trains() ? now.seconds() : trainingSeconds;
        switch (stage) {
            case WAITING -> await(now, speedIsKnown);
            case STEPPING -> step(now);
            case RETURNING -> comeBack(now);
            case READY -> watch(now);
        }
    }

    private void await(EnergyObservation now, boolean speedIsKnown) {
        if (unfinished) {
            enter(Stage.RETURNING, now);
        } else if (Double.isNaN(trainingSeconds)) {
            // Workers that load and warm up have not said their batch: what is known could not be told from what is
            // not.
            if (speedIsKnown && now.seconds() - runningSeconds > SILENT_SECONDS) {
                enter(Stage.READY, now);
            }
        } else if (speedIsKnown
                && now.gpus() > 0
                && now.defaultCapWatts() > 0
                && plan(now).areDone()) {
            enter(Stage.READY, now);
        } else if (speedIsKnown && now.isMetered() && now.defaultCapWatts() > 0) {
            noteOf(now);
            steps = plan(now);
            gpus = now.gpus();
            stepsStart = now.start();
            limitWatts = now.defaultCapWatts();
            begunSeconds = Double.isNaN(begunSeconds) ? now.seconds() : begunSeconds;
            enter(Stage.STEPPING, now);
        } else if (speedIsKnown && now.seconds() - trainingSeconds > METERED_SECONDS) {
            enter(Stage.READY, now);
        }
    }

    private EnergySteps plan(EnergyObservation now) {
        return EnergyPlan.of(now, points, settings.mostGpus(), tooLarge);
    }

    private void noteOf(EnergyObservation now) {
        if (now.passes() == 0 && now.gpus() == 1 && now.workers() == 1 && settings.mostGpus() > now.gpus()) {
            note = "energy is known at the job's own batch size alone: its workers take no others";
        }
    }

    private void step(EnergyObservation now) {
        if (now.gpus() > 0 && now.gpus() != gpus) {
            unfinished = true; // For other GPUs the list is another.
            enter(Stage.RETURNING, now);
            return;
        }
        if (now.seconds() - begunSeconds > settings.maxSeconds()) {
            note = String.format(
                    Locale.ROOT,
                    "energy is known at %d of %d settings of cap and batch: it was to take %.0f seconds at most",
                    steps.number() - 1,
                    steps.count(),
                    settings.maxSeconds());
            enter(Stage.RETURNING, now);
            return;
        }
        EnergySteps.Step step = steps.current();
        boolean anew = now.start() != stepsStart;
        stepsStart = now.start();
        if (anew && step.batchSize() > 0) {
            // Workers may not have borne it: once is enough.
            leaveOut(1, "samples per GPU and pass were in use when the workers ended", now);
            return;
        }
        switch (now.batchAnswer()) {
            case AWAITED -> {
                meter.restart();
                batchSeconds = now.seconds();
            }
            case OBEYED -> measure(now, step);
            case REFUSED -> leaveOut(step.batchSize(), "samples per GPU and pass do not fit", now);
            case IGNORED -> {
                if (step.batchSize() == 0) {
                    measure(now, step);
                } else {
                    leaveOut(1, "samples per GPU and pass were asked for, and the workers did not answer", now);
                }
            }
        }
    }

    private void measure(EnergyObservation now, EnergySteps.Step step) {
        Optional<EnergyPoint> point = meter.observe(now, settings.seconds());
        point.ifPresent(this::take);
        boolean inForce = now.has(step.capWatts());
        if (inForce && point.isPresent()) {
            steps.next();
            goOn(now);
            return;
        }
        double patience =
                inForce ? IN_FORCE_SECONDS + settings.seconds() + EnergyMeter.MOST_MORE_SECONDS : IN_FORCE_SECONDS;
        if (now.seconds() - Math.max(stageSeconds, batchSeconds) > patience) {
            if (inForce) {
                steps.next(); // Its progress cannot be measured here.
                goOn(now);
            } else {
                note = String.format(
                        Locale.ROOT,
                        "energy is known at %.0f watts per GPU alone: a cap of %.0f watts was not in force after %.0f"
                                + " seconds",
                        now.highestCapWatts(),
                        step.capWatts(),
                        IN_FORCE_SECONDS);
                enter(Stage.RETURNING, now);
            }
        }
    }

    private void leaveOut(long fromBatchSize, String why, EnergyObservation now) {
        note = "energy of other batch sizes is not known: " + steps.current().batchSize() + " " + why;
        tooLarge = Math.min(tooLarge, fromBatchSize);
        steps.leaveOut(tooLarge);
        goOn(now);
    }

    private void goOn(EnergyObservation now) {
        meter.restart();
        stageSeconds = now.seconds();
        if (steps.areDone()) {
            enter(Stage.RETURNING, now);
        }
    }

    private void comeBack(EnergyObservation now) {
        if ((now.uncapped() && now.batchAnswer() != BatchAnswer.AWAITED)
                || now.seconds() - stageSeconds > IN_FORCE_SECONDS) {
            // What an earlier ApplicationMaster had not finished begins again, now without its cap.
            enter(unfinished && settings.enabled() ? Stage.WAITING : Stage.READY, now);
            unfinished = false;
        }
    }

    private void watch(EnergyObservation now) {
        meter.observe(now, Math.max(WATCH_SECONDS, settings.seconds())).ifPresent(this::take);
        if (news && now.seconds() - newsSeconds >= PUBLISH_SECONDS) {
            changed = true;
            news = false;
            newsSeconds = now.seconds();
        }
    }

    private void take(EnergyPoint point) {
        news |= points.add(point);
        changed |= stage == Stage.STEPPING; // So that the next ApplicationMaster goes on from here.
    }

    private void enter(Stage newStage, EnergyObservation now) {
        stage = newStage;
        stageSeconds = now.seconds();
        changed |= newStage == Stage.READY;
        meter.restart();
    }
}

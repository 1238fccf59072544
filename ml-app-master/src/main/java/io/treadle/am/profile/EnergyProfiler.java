// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import io.treadle.core.wire.EnergyPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Finds what a job's GPUs draw, and how fast it is, under power caps while it trains: after its speed over vcores is known it
 * steps through three caps at the GPUs that it runs on. After that it only watches: each configuration that the scheduler gives
 * it becomes a point, or refines one. Not thread-safe.
 */
public final class EnergyProfiler {
    /** Below this part of the default limit energy rises again. */
    private static final double LEAST_CAP = 0.4;

    private static final double MIDDLE_CAP = 0.6;
    private static final int CAPS = 3;
    /** How long a cap may take: a node sets it at its next reading, and lets a rise wait. */
    static final double IN_FORCE_SECONDS = 45;
    /** How long after the workers' start a node may take to say what they spend. */
    static final double METERED_SECONDS = 4;
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
    private boolean resumed;
    /** By earlier jobs: other numbers of GPUs are then measured as the scheduler gives them, without holding GPUs and caps. */
    private boolean isKnown;

    private List<Double> caps = List.of();
    private int step;
    private double stageSeconds;
    private double runningSeconds = Double.NaN;
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
        isKnown = points.caps() >= CAPS;
    }

    /**
     * An earlier ApplicationMaster has come so far.
     *
     * @param ready whether the job was measured; else a cap may still be in force
     */
    public void resume(List<EnergyPoint> saved, boolean ready) {
        points.putAll(saved);
        resumed = !ready;
        stage = ready ? Stage.READY : stage;
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
            case STEPPING -> OptionalDouble.of(step == 0 ? 0 : caps.get(step));
            case RETURNING -> OptionalDouble.of(0);
            case WAITING, READY -> OptionalDouble.empty();
        };
    }

    /** One line for people; empty where there is nothing to say. */
    public String describe() {
        return switch (stage) {
            case STEPPING ->
                String.format(
                        Locale.ROOT,
                        "measuring energy at %.0f watts per GPU, %d of %d caps",
                        caps.get(step),
                        step + 1,
                        caps.size());
            case RETURNING -> "energy measured, waiting for the cap to be taken back";
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
            stageSeconds = now.seconds();
            return;
        }
        runningSeconds = Double.isNaN(runningSeconds) ? now.seconds() : runningSeconds;
        switch (stage) {
            case WAITING -> await(now, speedIsKnown);
            case STEPPING -> step(now);
            case RETURNING -> comeBack(now);
            case READY -> watch(now);
        }
    }

    private void await(EnergyObservation now, boolean speedIsKnown) {
        if (resumed) {
            enter(Stage.RETURNING, now);
        } else if (speedIsKnown && now.gpus() > 0 && (isKnown || points.capsAt(now.gpus()) >= CAPS)) {
            enter(Stage.READY, now);
        } else if (speedIsKnown && now.isMetered() && now.defaultCapWatts() > 0) {
            caps = caps(now.leastCapWatts(), now.defaultCapWatts());
            step = 0;
            enter(Stage.STEPPING, now);
        } else if (speedIsKnown && now.seconds() - runningSeconds > METERED_SECONDS) {
            enter(Stage.READY, now);
        }
    }

    /** From none down: nodes lower limits at once, and let rises wait. */
    private static List<Double> caps(double leastWatts, double defaultWatts) {
        List<Double> caps = new ArrayList<>();
        for (double part : new double[] {1, MIDDLE_CAP, LEAST_CAP}) {
            double cap = Math.min(defaultWatts, Math.max(leastWatts, Math.ceil(part * defaultWatts)));
            if (caps.isEmpty() || !EnergyPoint.areAlike(caps.get(caps.size() - 1), cap)) {
                caps.add(cap);
            }
        }
        return caps;
    }

    private void step(EnergyObservation now) {
        // Also while the cap is not in force: what runs meanwhile is measured as what it is.
        Optional<EnergyPoint> point = meter.observe(now, settings.seconds());
        point.ifPresent(this::take);
        boolean inForce = now.has(caps.get(step));
        if (inForce && point.isPresent()) {
            next(now);
            return;
        }
        double patience =
                inForce ? IN_FORCE_SECONDS + settings.seconds() + EnergyMeter.MOST_MORE_SECONDS : IN_FORCE_SECONDS;
        if (now.seconds() - stageSeconds > patience) {
            if (inForce) {
                next(now); // Its progress cannot be measured at this cap.
            } else {
                note = String.format(
                        Locale.ROOT,
                        "energy is known at %.0f watts per GPU alone: a cap of %.0f watts was not in force after %.0f"
                                + " seconds",
                        now.highestCapWatts(),
                        caps.get(step),
                        IN_FORCE_SECONDS);
                enter(Stage.RETURNING, now);
            }
        }
    }

    private void next(EnergyObservation now) {
        meter.restart();
        if (step == caps.size() - 1) {
            enter(Stage.RETURNING, now);
        } else {
            step++;
            stageSeconds = now.seconds();
        }
    }

    private void comeBack(EnergyObservation now) {
        if (now.uncapped() || now.seconds() - stageSeconds > IN_FORCE_SECONDS) {
            // What an earlier ApplicationMaster had not finished begins again, now without its cap.
            enter(resumed && settings.enabled() ? Stage.WAITING : Stage.READY, now);
            resumed = false;
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
    }

    private void enter(Stage newStage, EnergyObservation now) {
        stage = newStage;
        stageSeconds = now.seconds();
        changed |= newStage == Stage.READY;
        meter.restart();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import io.treadle.core.model.ps.LayeredPsModel.Mode;
import io.treadle.core.model.ps.PsFit;
import io.treadle.core.model.ps.PsModels;
import io.treadle.core.model.ps.PsSample;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.model.ps.PsSizes;
import io.treadle.core.wire.ProfileServers;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Measures how fast a job is with the numbers of workers and servers that it has, and says which would tell most of those that
 * it has not. It changes none: the scheduler gives them when there is room, and so a measurement is training. Not
 * thread-safe.
 */
public final class ServerProfiler {
    /** After the gang's start. */
    static final double SETTLE_SECONDS = 2;
    /** A size that trains and has not told its speed for so long is given up, */
    static final double PATIENCE_SECONDS = 90;
    /** if its workers have told of their progress so often; else, and where they tell nothing at all, later. */
    private static final int ENOUGH_READINGS = 8;

    static final double SILENT_SECONDS = 600;
    /** A size that was asked for so long in vain makes way for others that tell as much. */
    static final double ASKED_SECONDS = 300;
    /** So much longer it measures where the job is noisy. */
    static final double MOST_MORE_SECONDS = 20;

    private static final double PRECISE = 0.05;
    private static final double USELESS = 0.3;
    /** Between two publications of what was only refined. */
    private static final double NEWS_SECONDS = 30;
    /** What moves by less changes no plan. */
    private static final double LEAST_NEWS = 0.02;

    private final ServerSettings settings;
    private final ServerPoints points = new ServerPoints();
    /** Sizes with which it could not be measured. */
    private final Set<PsSize> failed = new HashSet<>();
    /** Sizes for which there was no room when they were asked for. */
    private final Set<PsSize> postponed = new HashSet<>();
    /** Since when the same one is asked for. */
    private double askedSeconds = Double.NaN;

    private Optional<ProfileServers> known = Optional.empty();
    private Optional<ProfileServers> profile = Optional.empty();
    private double batch;
    private Optional<PsSize> size = Optional.empty();
    private int start = -1;
    private double fromSeconds = Double.NaN;
    /** Since when the job runs with this size in this start. */
    private double runningSeconds = Double.NaN;
    /** Since when all its workers have told of progress. */
    private double begunSeconds = Double.NaN;

    private boolean gaveUp;
    private String note = "";
    private boolean changed;
    private boolean refined;
    private double newsSeconds = Double.NEGATIVE_INFINITY;

    public ServerProfiler(ServerSettings settings) {
        this.settings = settings;
    }

    /** What another ApplicationMaster has found out, of this job or of an earlier one of its kind. */
    public void know(Optional<ProfileServers> found) {
        Optional<ProfileServers> usable =
                found.filter(f -> f.mode().name().equals(settings.mode().name()));
        if (usable.isPresent() && points.isEmpty()) {
            known = usable.filter(f -> f.model().isPresent());
            batch = known.isPresent() || !usable.get().samples().isEmpty()
                    ? usable.get().batch()
                    : 0;
            points.addAll(PsModels.samples(usable.get()), settings.mode(), batch);
            look();
        }
    }

    /** Whether there is more to publish than at the last call. */
    public boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    /** What is known, or what is to be measured next; empty where there is nothing to say. */
    public Optional<ProfileServers> profile() {
        return profile;
    }

    /** One line for people; empty where there is nothing to say. */
    public String describe() {
        if (next().isEmpty()) {
            return note;
        }
        PsSize wanted = next().get();
        String measured = points.sizes().size() + " measured so far";
        return size.equals(Optional.of(wanted))
                ? "measuring the speed of " + wanted.text() + ", " + measured
                : "asks for " + wanted.text() + " to measure their speed, " + measured;
    }

    /** Looks at the job; call it a few times a second. */
    public void observe(ServerObservation now) {
        if (now.size().isEmpty() || !settings.sizes().scale()) {
            return;
        }
        if (start != now.start() || !size.equals(now.size())) {
            begin(now);
        }
        if (!now.running()) {
            pause();
            return;
        }
        runningSeconds = Double.isNaN(runningSeconds) ? now.seconds() : runningSeconds;
        boolean trains = now.samples().stream().noneMatch(SampleSeries::isEmpty);
        if (trains && Double.isNaN(begunSeconds)) {
            begunSeconds = now.seconds();
            fromSeconds = now.seconds() + SETTLE_SECONDS;
        }
        measure(now, now.size().get());
        postpone(now.seconds());
        if (refined && now.seconds() - newsSeconds > NEWS_SECONDS) {
            newsSeconds = now.seconds();
            refined = false;
            look();
        }
    }

    private void begin(ServerObservation now) {
        size = now.size();
        start = now.start();
        pause();
        look();
    }

    private void pause() {
        runningSeconds = Double.NaN;
        begunSeconds = Double.NaN;
        fromSeconds = Double.NaN;
    }

    /**
     * A task has failed. Returns whether that was with a size that the job has only to be measured, which then is not asked for
     * again: the first size is the one that it has anyway.
     */
    public boolean failed() {
        if (points.isEmpty() || !isAsked(size)) {
            return false;
        }
        giveUp(size.orElseThrow(), "a task failed before it was known");
        return true;
    }

    /** Where there is no room for a size, another may tell as much. */
    private void postpone(double nowSeconds) {
        Optional<PsSize> next = next();
        if (next.isEmpty() || next.equals(size)) {
            askedSeconds = Double.NaN;
        } else if (Double.isNaN(askedSeconds)) {
            askedSeconds = nowSeconds;
        } else if (nowSeconds - askedSeconds > ASKED_SECONDS) {
            askedSeconds = Double.NaN;
            postponed.add(next.get());
            look();
        }
    }

    private Optional<PsSize> next() {
        return profile.flatMap(ProfileServers::next).map(next -> new PsSize(next.workers(), next.servers()));
    }

    /** Whether it has this size to be measured. */
    private boolean isAsked(Optional<PsSize> what) {
        return what.isPresent() && !points.has(what.get()) && next().equals(what);
    }

    private void measure(ServerObservation now, PsSize of) {
        double elapsed = now.seconds() - fromSeconds;
        Optional<RateEstimate> rate =
                elapsed >= settings.seconds() ? RateEstimate.over(now.samples(), fromSeconds) : Optional.empty();
        double worst = elapsed >= settings.seconds() + MOST_MORE_SECONDS ? USELESS : PRECISE;
        if (rate.isPresent()
                && rate.get().relativeError() <= worst
                && rate.get().samplesPerSecond() > 0) {
            take(now, of, rate.get());
        } else if (!points.has(of) && isHopeless(now)) {
            giveUp(of, "its progress does not tell it");
        }
    }

    private boolean isHopeless(ServerObservation now) {
        boolean tells = now.samples().stream().allMatch(worker -> worker.countFrom(begunSeconds) >= ENOUGH_READINGS);
        return now.seconds() - runningSeconds > SILENT_SECONDS
                || (tells && now.seconds() - begunSeconds > PATIENCE_SECONDS);
    }

    private void take(ServerObservation now, PsSize of, RateEstimate rate) {
        batch = batch > 0 ? batch : batch(now, of);
        fromSeconds = now.seconds();
        refined = true;
        if (points.add(of, rate.samplesPerSecond(), rate.relativeError())) {
            if (failed.remove(of) || gaveUp) {
                gaveUp = false;
                note = "";
            }
            look();
        }
    }

    /** Of an iteration as the model counts it; where workers do not tell it, a sample is taken for one. */
    private double batch(ServerObservation now, PsSize of) {
        double all = Math.max(1, now.batch());
        return settings.mode() == Mode.SYNC ? all : Math.max(1, all / of.workers());
    }

    private void giveUp(PsSize what, String why) {
        if (failed.add(what)) {
            gaveUp |= points.isEmpty();
            note = "could not measure the speed of " + what.text() + ": " + why;
            look();
        }
    }

    private void look() {
        Optional<ProfileServers> now = found();
        if (isNews(now)) {
            changed = true;
            profile = now;
        }
    }

    private boolean isNews(Optional<ProfileServers> now) {
        if (now.isEmpty() || profile.isEmpty()) {
            return now.isPresent() != profile.isPresent();
        }
        List<ProfileServers.Sample> before = profile.get().samples();
        List<ProfileServers.Sample> after = now.get().samples();
        return !now.get().next().equals(profile.get().next())
                || now.get().model().isPresent() != profile.get().model().isPresent()
                || before.size() != after.size()
                || IntStream.range(0, after.size())
                        .anyMatch(i ->
                                Math.abs(after.get(i).seconds() - before.get(i).seconds())
                                        > LEAST_NEWS * before.get(i).seconds());
    }

    private Optional<ProfileServers> found() {
        if (!settings.sizes().scale()) {
            return known;
        }
        if (isKnown()) {
            List<PsSample> samples = points.samples(settings.mode(), batch);
            return Optional.of(PsModels.wire(PsFit.of(samples, settings.mode(), batch, settings.sizes()), samples));
        }
        // What was measured within narrower bounds leaves something open; what somebody has imported does not.
        boolean isGiven = known.isPresent() && known.get().samples().isEmpty();
        Optional<PsSize> next = isGiven || gaveUp || !settings.probes() ? Optional.empty() : missing();
        if (next.isEmpty()) {
            return known;
        }
        // Who is about to be measured stays as it is.
        Optional<PsSize> here = size.filter(own -> allowed().allow(own) && !points.has(own));
        return Optional.of(PsModels.wire(
                points.isEmpty() ? List.of() : points.samples(settings.mode(), batch),
                settings.mode(),
                Math.max(1, batch),
                here.orElse(next.get())));
    }

    /** A fit in which a size that failed leaves something open would send the job there. */
    private boolean isKnown() {
        return !points.isEmpty()
                && PsFit.missing(points.sizes(), settings.mode(), settings.sizes())
                        .isEmpty();
    }

    private Optional<PsSize> missing() {
        PsSizes now = allowed().without(postponed::contains);
        Optional<PsSize> next = PsFit.missing(points.sizes(), settings.mode(), now);
        if (next.isEmpty() && !postponed.isEmpty()) {
            postponed.clear();
            next = PsFit.missing(points.sizes(), settings.mode(), allowed());
        }
        return next;
    }

    private PsSizes allowed() {
        return settings.sizes().without(failed::contains);
    }
}

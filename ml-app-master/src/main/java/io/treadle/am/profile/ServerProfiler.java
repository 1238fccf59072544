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

/**
 * Measures how fast a job is with the numbers of workers and servers that it has, and says which would tell most of those that
 * it has not. It changes none: the scheduler gives them when there is room, and so a measurement is training. Not
 * thread-safe.
 */
public final class ServerProfiler {
    /** After the gang's start. */
    static final double SETTLE_SECONDS = 2;
    /** A size that has told nothing for so long is given up. */
    static final double PATIENCE_SECONDS = 90;
    /** So much longer it measures where the job is noisy. */
    static final double MOST_MORE_SECONDS = 20;

    private static final double PRECISE = 0.05;
    private static final double USELESS = 0.3;
    /** Between two publications of what was only refined. */
    private static final double NEWS_SECONDS = 30;

    private final ServerSettings settings;
    private final ServerPoints points = new ServerPoints();
    /** Sizes with which it could not be measured. */
    private final Set<PsSize> failed = new HashSet<>();

    private Optional<ProfileServers> known = Optional.empty();
    private Optional<ProfileServers> profile = Optional.empty();
    private double batch;
    private Optional<PsSize> size = Optional.empty();
    private int start = -1;
    private double fromSeconds = Double.NaN;
    /** Since when the job trains with this size in this start. */
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
            batch = usable.get().batch();
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
        Optional<ProfileServers.Size> next = profile.flatMap(ProfileServers::next);
        if (next.isEmpty()) {
            return note;
        }
        PsSize wanted = new PsSize(next.get().workers(), next.get().servers());
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
            fromSeconds = Double.NaN;
            return;
        }
        if (Double.isNaN(begunSeconds)) {
            begunSeconds = now.seconds();
        }
        if (Double.isNaN(fromSeconds)) {
            fromSeconds = now.seconds() + SETTLE_SECONDS;
        }
        measure(now, now.size().get());
        if (refined && now.seconds() - newsSeconds > NEWS_SECONDS) {
            newsSeconds = now.seconds();
            refined = false;
            look();
        }
    }

    private void begin(ServerObservation now) {
        boolean sameSize = size.equals(now.size());
        boolean hadBegun = !Double.isNaN(begunSeconds);
        size = now.size();
        start = now.start();
        begunSeconds = Double.NaN;
        fromSeconds = Double.NaN;
        // The first size is the one that it has anyway.
        if (sameSize && hadBegun && !points.isEmpty() && isAsked(size)) {
            giveUp(size.orElseThrow(), "the job was started anew before its speed was known");
        }
        look();
    }

    /** Whether it has this size to be measured. */
    private boolean isAsked(Optional<PsSize> what) {
        return what.isPresent()
                && !points.has(what.get())
                && profile.flatMap(ProfileServers::next)
                        .map(next -> new PsSize(next.workers(), next.servers()))
                        .equals(what);
    }

    private void measure(ServerObservation now, PsSize of) {
        double elapsed = now.seconds() - fromSeconds;
        Optional<RateEstimate> rate =
                elapsed >= settings.seconds() ? RateEstimate.over(now.samples(), fromSeconds) : Optional.empty();
        double worst = elapsed >= settings.seconds() + MOST_MORE_SECONDS ? USELESS : PRECISE;
        if (rate.isPresent()
                && rate.get().relativeError() <= worst
                && rate.get().samplesPerSecond() > 0) {
            take(now, of, rate.get().samplesPerSecond());
        } else if (!points.has(of) && now.seconds() - begunSeconds > PATIENCE_SECONDS) {
            giveUp(of, "its progress did not tell its speed in " + Math.round(PATIENCE_SECONDS) + " seconds");
        }
    }

    private void take(ServerObservation now, PsSize of, double samplesPerSecond) {
        batch = batch > 0 ? batch : batch(now, of);
        fromSeconds = now.seconds();
        refined = true;
        if (points.add(of, samplesPerSecond)) {
            failed.remove(of);
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
        changed |= !now.equals(profile);
        profile = now;
    }

    private Optional<ProfileServers> found() {
        Optional<PsSize> next = PsFit.missing(points.sizes(), settings.mode(), allowed());
        if (next.isEmpty() && !points.isEmpty()) {
            List<PsSample> samples = points.samples(settings.mode(), batch);
            return Optional.of(PsModels.wire(PsFit.of(samples, settings.mode(), batch, allowed()), samples));
        }
        if (known.isPresent() || gaveUp || next.isEmpty() || !settings.probes()) {
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

    private PsSizes allowed() {
        return settings.sizes().without(failed::contains);
    }
}

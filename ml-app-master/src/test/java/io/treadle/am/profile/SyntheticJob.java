// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import io.treadle.core.wire.ProfileRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongToDoubleFunction;

/** A job whose speed over vcores is known, on a clock of its own, with noisy steps of a fixed batch. */
final class SyntheticJob {
    private static final double TICK = 0.25;

    final Profiler profiler;
    final List<Long> sizes = new ArrayList<>();
    private LongToDoubleFunction speed;
    private final double noise;
    private final Random random;
    private final int workers;
    private final double batch;
    private final long most;
    private final List<SampleSeries> series = new ArrayList<>();
    private final double[] samples;
    private final double[] nextStepSeconds;
    private double now = 1000;
    private long vcores;
    private long pendingVcores;
    private boolean heard = true;
    private double pendingSeconds;
    private double resizeSeconds = 0.7;

    /**
     * @param speed samples/s of the whole job over vcores of a worker
     * @param noise standard deviation of a step's time, relative
     * @param most vcores that the cluster grants
     */
    SyntheticJob(
            ProfileSettings settings,
            LongToDoubleFunction speed,
            double noise,
            long seed,
            int workers,
            double batch,
            long start,
            long most) {
        this.profiler = new Profiler(settings);
        this.speed = speed;
        this.noise = noise;
        this.random = new Random(seed);
        this.workers = workers;
        this.batch = batch;
        this.vcores = start;
        this.pendingVcores = start;
        this.most = most;
        this.samples = new double[workers];
        this.nextStepSeconds = new double[workers];
        for (int i = 0; i < workers; i++) {
            series.add(new SampleSeries());
            nextStepSeconds[i] = now + stepSeconds();
        }
    }

    private double stepSeconds() {
        double mean = batch * workers / speed.applyAsDouble(vcores);
        return mean * Math.max(0.2, 1 + noise * random.nextGaussian());
    }

    /** Runs until the profile is ready; returns the seconds that it took. */
    double profile(double patienceSeconds) {
        double begun = now;
        while (profiler.phase() == ProfileRecord.Phase.PROFILING && now - begun < patienceSeconds) {
            tick();
        }
        return now - begun;
    }

    void run(double seconds) {
        double end = now + seconds;
        while (now < end) {
            tick();
        }
    }

    /** The scheduler gives another size. */
    void resize(long newVcores) {
        vcores = newVcores;
        pendingVcores = newVcores;
    }

    /** The ResourceManager is gone for so long; what it was asked is lost. */
    void loseResourceManager(double seconds) {
        heard = false;
        run(seconds);
        heard = true;
    }

    /** From now on a container has its new size so long after it was asked. */
    void resizesTake(double seconds) {
        resizeSeconds = seconds;
    }

    /** From now on it is another job. */
    void becomes(LongToDoubleFunction newSpeed) {
        speed = newSpeed;
    }

    private void tick() {
        now += TICK;
        for (int i = 0; i < workers; i++) {
            while (nextStepSeconds[i] <= now) {
                samples[i] += batch;
                series.get(i).add(nextStepSeconds[i], samples[i]);
                nextStepSeconds[i] += stepSeconds();
            }
        }
        if (!heard) {
            pendingVcores = vcores; // Lost with the ResourceManager.
        }
        if (pendingVcores != vcores && now >= pendingSeconds) {
            vcores = pendingVcores;
        }
        long wanted = profiler.wanted().orElse(vcores);
        profiler.observe(new Observation(
                now, true, 1, new Conditions(vcores, 1024, 0, false), vcores, vcores == wanted, heard, series));
        long next = profiler.wanted().orElse(vcores);
        if (heard && next != pendingVcores && next <= most) {
            pendingVcores = next;
            pendingSeconds = now + resizeSeconds;
            sizes.add(next);
        }
    }

    double speedAt(long atVcores) {
        return profiler.points().stream()
                .filter(p -> p.vcores() == atVcores)
                .findFirst()
                .orElseThrow()
                .samplesPerSecond();
    }

    /** Fastest measured speed over slowest. */
    double sensitivity() {
        double least = profiler.points().stream()
                .mapToDouble(ProfileRecord.Point::samplesPerSecond)
                .min()
                .orElse(1);
        return profiler.points().stream()
                        .mapToDouble(ProfileRecord.Point::samplesPerSecond)
                        .max()
                        .orElse(1)
                / least;
    }

    long vcores() {
        return vcores;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import io.treadle.core.wire.ProfileRecord;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** What has been measured, by vcores of a worker. Later measurements of a size refine the earlier ones. */
final class ProfilePoints {
    private static final double CHANGED = 0.05;
    /** A size that is slower than a smaller one by less, or by fewer standard errors, may well be as fast. */
    private static final double SLOWER = 0.1;

    private static final double SLOWER_ERRORS = 3;

    /**
     * Where the speed at a size should lie by what is known.
     *
     * @param error relative standard error of the bounds
     */
    record Expected(double least, double most, double error) {
        /** Whether one speed is expected; of a range of speeds one that lies inside says nothing. */
        boolean isExact() {
            return least == most;
        }

        /** How far the speed lies outside, relative to the nearer bound; 0 inside. */
        double differenceOf(double speed) {
            return speed > most ? speed / most - 1 : speed < least ? speed / least - 1 : 0;
        }
    }

    private final TreeMap<Long, ProfileRecord.Point> points = new TreeMap<>();
    /** As they were when they were last news. */
    private final Map<Long, ProfileRecord.Point> told = new HashMap<>();
    /** Sizes whose measurement was once forgotten as disturbed. */
    private final Set<Long> doubted = new HashSet<>();

    void putAll(List<ProfileRecord.Point> known) {
        known.forEach(p -> points.put(p.vcores(), p));
    }

    /** What is read is another dataset: how much of the former was in memory says nothing of it. */
    void forgetMemory() {
        points.replaceAll((vcores, p) -> p.withoutMemory());
    }

    void clear() {
        points.clear();
        told.clear();
        doubted.clear();
    }

    /** The job has another number of workers: speeds are taken to change by proportion, until they are measured. */
    void rescale(double factor) {
        points.replaceAll((vcores, p) -> p.withSpeed(p.samplesPerSecond() * factor, 0, 0));
    }

    /** Returns whether that is news: a new point, one moved by more than 5 %, or one measured twice as often. */
    boolean add(Conditions with, RateEstimate estimate) {
        long vcores = with.vcores();
        anchor(vcores, estimate.samplesPerSecond());
        ProfileRecord.Point now = points.merge(vcores, with.measured(estimate), with.merge());
        ProfileRecord.Point before = told.get(vcores);
        boolean news = before == null
                || Math.abs(before.samplesPerSecond() - now.samplesPerSecond())
                        > CHANGED * Math.max(before.samplesPerSecond(), 1e-9)
                || now.count() >= 2 * before.count();
        if (news) {
            told.put(vcores, now);
        }
        return news;
    }

    /** Where the speed at a size was a guess, the guesses at the others are off by as much. */
    private void anchor(long vcores, double samplesPerSecond) {
        ProfileRecord.Point guess = points.get(vcores);
        if (guess != null && isGuess(guess) && guess.samplesPerSecond() > 0) {
            points.remove(vcores);
            double factor = samplesPerSecond / guess.samplesPerSecond();
            points.replaceAll((size, p) -> isGuess(p) ? p.withSpeed(p.samplesPerSecond() * factor, 0, 0) : p);
        }
    }

    private static boolean isGuess(ProfileRecord.Point point) {
        return point.count() == 0;
    }

    /**
     * Forgets sizes that were measured to be slower than smaller ones, each once: speed does not fall with more vcores, and
     * what disturbs a measurement slows the job. One that is as slow when it is measured again stays.
     *
     * @param with as the last measurement
     * @return whether any was forgotten
     */
    boolean forgetDisturbed(Conditions with) {
        List<Long> disturbed = points.values().stream()
                .filter(larger -> points.headMap(larger.vcores()).values().stream()
                        .anyMatch(smaller -> isSlower(larger, smaller, with)))
                .map(ProfileRecord.Point::vcores)
                .filter(doubted::add)
                .toList();
        disturbed.forEach(points::remove);
        disturbed.forEach(told::remove);
        return !disturbed.isEmpty();
    }

    private static boolean isSlower(ProfileRecord.Point larger, ProfileRecord.Point smaller, Conditions with) {
        double noise = SLOWER_ERRORS * Math.hypot(larger.knownError(), smaller.knownError());
        boolean areMeasured = !isGuess(larger) && !isGuess(smaller);
        boolean isAsWellOff = !with.readsData() || (smaller.memoryMiB() > 0 && larger.hadAsMuchAs(smaller));
        return areMeasured
                && isAsWellOff
                && larger.samplesPerSecond() < (1 - Math.max(SLOWER, noise)) * smaller.samplesPerSecond();
    }

    Optional<Double> speedAt(long vcores) {
        return Optional.ofNullable(points.get(vcores)).map(ProfileRecord.Point::samplesPerSecond);
    }

    /** At the largest measured size below this one. */
    Optional<Double> speedBelow(long vcores) {
        return Optional.ofNullable(points.lowerEntry(vcores))
                .map(e -> e.getValue().samplesPerSecond());
    }

    /** The size that is to be measured, too: one that was forgotten, or one of which the others tell too little. */
    OptionalLong open() {
        OptionalLong forgotten = doubted.stream()
                .filter(vcores -> !points.containsKey(vcores))
                .mapToLong(vcores -> vcores)
                .min();
        return forgotten.isPresent() ? forgotten : OpenSizes.widest(points.values());
    }

    /**
     * Between the speeds of the nearest sizes, as speed never falls with more vcores, memory or storage bandwidth; at a
     * measured size, its own. Empty where nothing is known: what another number of workers was as fast as is a guess, and who
     * contradicts it has not changed.
     */
    Optional<Expected> expectedAt(Conditions with) {
        Optional<ProfileRecord.Point> below = points.headMap(with.vcores(), true).descendingMap().values().stream()
                .filter(p -> !isGuess(p) && with.allowWhat(p))
                .findFirst();
        Optional<ProfileRecord.Point> above = points.tailMap(with.vcores(), true).values().stream()
                .filter(p -> !isGuess(p) && with.wereAllowedBy(p))
                .findFirst();
        if (below.isEmpty() && above.isEmpty()) {
            return Optional.empty();
        }
        double least = below.map(ProfileRecord.Point::samplesPerSecond).orElse(0.0);
        double most = above.map(ProfileRecord.Point::samplesPerSecond).orElse(Double.POSITIVE_INFINITY);
        double error = Math.max(
                below.map(ProfileRecord.Point::knownError).orElse(0.0),
                above.map(ProfileRecord.Point::knownError).orElse(0.0));
        return Optional.of(new Expected(Math.min(least, most), Math.max(least, most), error));
    }

    List<ProfileRecord.Point> list() {
        return List.copyOf(points.values());
    }
}

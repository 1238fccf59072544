// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import io.treadle.core.wire.EnergyPoint;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ProfileRecord.Point;
import io.treadle.core.wire.ProfileServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What a job has measured and what earlier jobs of its kind had, made into one profile. */
final class ProfileMerge {
    /** In so long the variance of what was measured doubles: code, data and drivers change. */
    private static final Duration DOUBLING = Duration.ofDays(30);
    /** What has faded so far says nothing any more. */
    private static final double FADED = 0.25;
    /** Points that differ by more than this, and by more than so many standard errors, are of two kinds of job. */
    private static final double CONTRADICTION = 0.15;

    private static final double CONTRADICTION_ERRORS = 3;

    private ProfileMerge() {}

    /** The profile as it can be trusted now. */
    static ProfileRecord faded(ProfileRecord stored, long nowMs) {
        double doublings = (double) Math.max(0, nowMs - stored.updatedMs()) / DOUBLING.toMillis();
        double growth = Math.pow(2, doublings / 2);
        List<Point> points = new ArrayList<>();
        for (Point p : stored.points()) {
            double error = p.knownError() * growth;
            if (growth == 1) {
                points.add(p);
            } else if (error <= FADED) {
                points.add(p.withError(error));
            }
        }
        return stored.withPoints(points, stored.jobs())
                .withEnergy(EnergyMerge.faded(stored.energy(), growth, FADED))
                .withServers(stored.servers().flatMap(ProfileServers::forOthers));
    }

    /**
     * @param stored what is known of the kind
     * @param startedFrom what the job was given to start from
     * @param ended what the job had in the end: what it started from, refined where it ran
     * @return what to store; empty where the job has measured nothing
     */
    static Optional<ProfileRecord> merged(
            Optional<ProfileRecord> stored, Optional<ProfileRecord> startedFrom, ProfileRecord ended, long nowMs) {
        List<Point> given = startedFrom.map(ProfileRecord::points).orElse(List.of());
        List<Point> own = ended.points().stream()
                .filter(p -> p.count() > 0 && !given.contains(p))
                .toList();
        List<EnergyPoint> ownEnergy =
                EnergyMerge.own(startedFrom.map(ProfileRecord::energy).orElse(List.of()), ended.energy());
        // Measurements that tell nothing of other sizes are of no use to other jobs.
        Optional<ProfileServers> servers = ended.servers().flatMap(ProfileServers::forOthers);
        Optional<ProfileServers> ownServers = servers.filter(
                s -> !s.equals(startedFrom.flatMap(ProfileRecord::servers).orElse(null)));
        if (own.isEmpty() && (stored.isEmpty() || (ownEnergy.isEmpty() && ownServers.isEmpty()))) {
            return Optional.empty();
        }
        ProfileRecord measured = ended.withPoints(own, 1).withEnergy(ownEnergy).withServers(servers);
        if (stored.isEmpty()) {
            return Optional.of(measured);
        }
        ProfileRecord old = scaled(faded(stored.get(), nowMs), ended.workers());
        if (contradict(old.points(), own, ended.dataset().or(old::dataset).isPresent())) {
            // Also what it took over and never contradicted: a few sizes alone would be a poor profile.
            List<Point> all = ended.points().stream().filter(p -> p.count() > 0).toList();
            return Optional.of(ended.withPoints(all, 1).withServers(servers));
        }
        // Points that were refined hold what was stored then; only if another job has ended since is there more to add.
        boolean holdsStored = ended.jobs() > 1
                && startedFrom.isPresent()
                && startedFrom.get().updatedMs() == stored.get().updatedMs();
        if (own.isEmpty()) {
            return Optional.of(stored.get()
                    .withEnergy(EnergyMerge.merged(stored.get().energy(), ownEnergy, holdsStored))
                    .withServers(ownServers.or(stored.get()::servers)));
        }
        TreeMap<Long, Point> points = new TreeMap<>();
        boolean same = old.dataset().isEmpty()
                || ended.dataset().isEmpty()
                || old.dataset().get().isAsLargeAs(ended.dataset().get());
        old.points().forEach(p -> points.put(p.vcores(), same ? p : p.withoutMemory()));
        boolean reads = ended.dataset().or(old::dataset).isPresent();
        BinaryOperator<Point> merge = reads ? Point::informedBy : Point::refinedBy;
        own.forEach(p -> points.merge(p.vcores(), p, holdsStored ? (before, now) -> now : merge));
        return Optional.of(measured.withPoints(most(List.copyOf(points.values()), own), old.jobs() + 1)
                .withDataset(ended.dataset().or(old::dataset))
                .withEnergy(EnergyMerge.merged(old.energy(), ownEnergy, holdsStored))
                .withServers(ownServers.or(old::servers)));
    }

    /** Not more than a record may have; what was measured now goes first. */
    private static List<Point> most(List<Point> points, List<Point> own) {
        return points.size() <= ProfileRecord.MOST_POINTS ? points : own;
    }

    /** @param reads whether memory and storage matter: then only measurements with the same of both contradict each other */
    private static boolean contradict(List<Point> old, List<Point> own, boolean reads) {
        Map<Long, Point> bySize = old.stream().collect(Collectors.toMap(Point::vcores, Function.identity()));
        return own.stream().anyMatch(p -> {
            Point before = bySize.get(p.vcores());
            if (before == null || (reads && !(before.hadAsMuchAs(p) && p.hadAsMuchAs(before)))) {
                return false;
            }
            double difference = Math.abs(p.samplesPerSecond() / Math.max(before.samplesPerSecond(), 1e-9) - 1);
            double error = Math.hypot(p.knownError(), before.knownError());
            return difference > CONTRADICTION && difference > CONTRADICTION_ERRORS * error;
        });
    }

    /** Speed is taken to be in proportion to the workers, which is a guess. */
    private static ProfileRecord scaled(ProfileRecord record, int workers) {
        if (record.workers() == workers) {
            return record;
        }
        double factor = (double) workers / record.workers();
        return record.withPoints(
                record.points().stream()
                        .map(p -> p.withSpeed(
                                p.samplesPerSecond() * factor,
                                Math.hypot(p.knownError(), CONTRADICTION / CONTRADICTION_ERRORS),
                                p.count()))
                        .toList(),
                record.jobs());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.EnergyPoint;
import io.treadle.core.wire.ProfileDataset;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ProfileRecord.Point;
import io.treadle.core.wire.ProfileServers;
import io.treadle.core.wire.ServersModel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ProfileMergeTest {
    private static final long DAY = Duration.ofDays(1).toMillis();

    private static ProfileRecord record(String id, int workers, int jobs, long updatedMs, Point... points) {
        return new ProfileRecord(
                id,
                "resnet",
                "A100",
                16,
                ProfileRecord.Phase.READY,
                workers,
                List.of(points),
                updatedMs,
                jobs,
                Optional.empty());
    }

    private static ProfileRecord merged(ProfileRecord stored, Optional<ProfileRecord> given, ProfileRecord ended) {
        return ProfileMerge.merged(Optional.of(stored), given, ended, ended.updatedMs())
                .orElseThrow();
    }

    @Test
    void jobsThatMeasuredByThemselvesAreWeighedByTheirErrors() {
        ProfileRecord stored = record("a", 1, 2, 0, new Point(1, 0, 10, 9, 0.02, 3), new Point(8, 0, 70, 9, 0.02, 3));
        ProfileRecord ended = record("b", 1, 1, 0, new Point(1, 0, 10.5, 5, 0.02, 1), new Point(4, 0, 38, 5, 0.03, 1));
        ProfileRecord both = merged(stored, Optional.empty(), ended);
        assertEquals(3, both.jobs());
        assertEquals("b", both.applicationId());
        // Equal weights: the mean, and an error less by √2.
        assertEquals(
                new Point(1, 0, 10.25, 14, 0.02 / Math.sqrt(2), 4),
                rounded(both.points().get(0)));
        assertEquals(new Point(4, 0, 38, 5, 0.03, 1), both.points().get(1));
        assertEquals(new Point(8, 0, 70, 9, 0.02, 3), both.points().get(2));
    }

    /** To nine digits. */
    private static Point rounded(Point p) {
        double error = Math.abs(p.error() / (0.02 / Math.sqrt(2)) - 1) < 1e-9 ? 0.02 / Math.sqrt(2) : p.error();
        double speed = Math.rint(p.samplesPerSecond() * 1e9) / 1e9;
        return new Point(p.vcores(), p.memoryMiB(), speed, p.seconds(), error, p.count());
    }

    @Test
    void oldMeasurementsFade() {
        ProfileRecord stored = record("a", 1, 1, 0, new Point(1, 0, 10, 9, 0.02, 3), new Point(2, 0, 20, 9, 0.1, 1));
        ProfileRecord faded = ProfileMerge.faded(stored, 60 * DAY);
        // Two doublings of the variance: twice the error.
        assertEquals(0.04, faded.points().get(0).error(), 1e-12);
        assertEquals(0.2, faded.points().get(1).error(), 1e-12);
        assertEquals(1, ProfileMerge.faded(stored, 90 * DAY).points().size(), "0.1 · √8 is more than 0.25");
        assertEquals(stored, ProfileMerge.faded(stored, 0));
        // Weights 1/0.04² = 625 and 1/0.02² = 2500: (625 · 10 + 2500 · 11) / 3125
        ProfileRecord ended = record("b", 1, 1, 60 * DAY, new Point(1, 0, 11, 5, 0.02, 1));
        assertEquals(
                10.8, merged(stored, Optional.empty(), ended).points().get(0).samplesPerSecond(), 1e-9);
    }

    @Test
    void whatAJobWasGivenIsNotCountedTwice() {
        ProfileRecord stored = record("a", 1, 4, 7, new Point(1, 0, 10, 9, 0.02, 3), new Point(4, 0, 40, 9, 0.02, 3));
        ProfileRecord ended = record("b", 1, 5, 99, new Point(1, 0, 10, 9, 0.02, 3), new Point(4, 0, 41, 29, 0.01, 8));
        ProfileRecord both = merged(stored, Optional.of(stored), ended);
        assertEquals(5, both.jobs());
        assertEquals(ended.points().get(1), both.points().get(1), "it holds the stored one already");
        assertEquals(10, both.points().get(0).samplesPerSecond());
        assertEquals(99, both.updatedMs());
        assertTrue(
                ProfileMerge.merged(
                                Optional.of(stored),
                                Optional.of(stored),
                                record("c", 1, 5, 100, stored.points().toArray(Point[]::new)),
                                100)
                        .isEmpty(),
                "a job that measured nothing leaves the profile, and its age, alone");
    }

    @Test
    void twoJobsAtOnceBothCount() {
        ProfileRecord given = record("a", 1, 1, 7, new Point(4, 0, 40, 9, 0.02, 3));
        ProfileRecord stored = record("b", 1, 2, 50, new Point(4, 0, 42, 9, 0.01, 6));
        ProfileRecord ended = record("c", 1, 2, 60, new Point(4, 0, 41, 9, 0.01, 6));
        ProfileRecord both = merged(stored, Optional.of(given), ended);
        assertEquals(3, both.jobs());
        assertEquals(41.5, both.points().get(0).samplesPerSecond(), 1e-6);
    }

    @Test
    void whatContradictsReplaces() {
        ProfileRecord stored = record("a", 1, 9, 0, new Point(1, 0, 10, 9, 0.01, 30), new Point(8, 0, 80, 9, 0.01, 30));
        ProfileRecord ended = record("b", 1, 1, 1, new Point(1, 0, 14, 5, 0.02, 1));
        assertEquals(ended, merged(stored, Optional.empty(), ended));
        ProfileRecord noisy = record("b", 1, 1, 1, new Point(1, 0, 14, 5, 0.2, 1));
        assertEquals(10, merged(stored, Optional.empty(), noisy).jobs(), "40 % is two of its standard errors");
    }

    /** The job found that one size was wrong; the others it had no quarrel with. */
    @Test
    void whatContradictsOnePointLeavesTheOthers() {
        ProfileRecord stored = record(
                "a",
                1,
                1,
                7,
                new Point(2, 0, 50, 9, 0.01, 3),
                new Point(3, 0, 75, 9, 0.01, 3),
                new Point(5, 0, 50, 9, 0.01, 3));
        ProfileRecord ended =
                record("b", 1, 2, 99, stored.points().get(0), stored.points().get(1), new Point(5, 0, 125, 9, 0.01, 2));
        ProfileRecord both = merged(stored, Optional.of(stored), ended);
        assertEquals(ended.points(), both.points());
        assertEquals(1, both.jobs());
    }

    @Test
    void otherNumbersOfWorkersAreScaledAndGuessesAreNotStored() {
        ProfileRecord stored = record("a", 4, 1, 0, new Point(1, 0, 40, 9, 0.02, 3), new Point(8, 0, 320, 9, 0.02, 3));
        ProfileRecord ended = record("b", 2, 2, 0, new Point(1, 0, 20.1, 5, 0.02, 1), new Point(8, 0, 160, 9, 0, 0));
        ProfileRecord both = merged(stored, Optional.of(stored), ended);
        assertEquals(2, both.workers());
        assertEquals(160, both.points().get(1).samplesPerSecond());
        assertEquals(3, both.points().get(1).count());
        assertEquals(0.0539, both.points().get(1).error(), 1e-4);
    }

    @Test
    void datasetStaysKnown() {
        Optional<ProfileDataset> dataset = Optional.of(new ProfileDataset(1000, 10, 8000, 200, 300));
        ProfileRecord stored =
                record("a", 1, 1, 0, new Point(1, 0, 10, 9, 0.02, 3)).withDataset(dataset);
        ProfileRecord ended = record("b", 1, 1, 0, new Point(1, 0, 10, 5, 0.02, 1));
        assertEquals(dataset, merged(stored, Optional.empty(), ended).dataset());
    }

    private static EnergyPoint energy(double capWatts, double samplesPerSecond, double error, long count) {
        return new EnergyPoint(2, 1, 32, capWatts, samplesPerSecond, 300, 5, error, count);
    }

    @Test
    void energyIsMergedByConfiguration() {
        ProfileRecord stored = record("a", 1, 2, 0, new Point(1, 0, 10, 9, 0.02, 3))
                .withEnergy(List.of(energy(200, 90, 0.02, 1), energy(400, 100, 0.02, 1)));
        ProfileRecord ended = record("b", 1, 1, 0, new Point(1, 0, 10, 9, 0.02, 1))
                .withEnergy(List.of(energy(399, 110, 0.02, 1), energy(200, 120, 0.02, 1), energy(300, 95, 0.02, 1)));
        List<EnergyPoint> both = merged(stored, Optional.empty(), ended).energy();
        assertEquals(
                List.of(200.0, 300.0, 400.0),
                both.stream().map(EnergyPoint::capWatts).toList());
        assertEquals(120, both.get(0).samplesPerSecond(), "a third faster: the later one stands");
        assertEquals(105, both.get(2).samplesPerSecond(), 1e-9);
        assertEquals(2, both.get(2).count());
    }

    @Test
    void energyAloneIsKeptTooAndNotCountedTwice() {
        ProfileRecord stored =
                record("a", 1, 4, 7, new Point(1, 0, 10, 9, 0.02, 3)).withEnergy(List.of(energy(400, 100, 0.02, 1)));
        ProfileRecord ended = record("b", 1, 5, 99, new Point(1, 0, 10, 9, 0.02, 3))
                .withEnergy(List.of(energy(400, 104, 0.01, 4), energy(200, 90, 0.02, 1)));
        ProfileRecord both = merged(stored, Optional.of(stored), ended);
        assertEquals(stored.points(), both.points());
        assertEquals(ended.energy(), both.energy(), "it holds the stored one already");
        assertEquals(
                Optional.empty(),
                ProfileMerge.merged(Optional.of(stored), Optional.of(stored), stored, 7),
                "nothing was measured");
    }

    @Test
    void energyFadesAsSpeedsDo() {
        ProfileRecord stored = record("a", 1, 1, 0, new Point(1, 0, 10, 9, 0.02, 3))
                .withEnergy(List.of(energy(200, 90, 0.1, 1), energy(400, 100, 0.02, 1)));
        List<EnergyPoint> faded = ProfileMerge.faded(stored, 90 * DAY).energy();
        assertEquals(1, faded.size(), "0.1 · √8 is more than 0.25");
        assertEquals(0.02 * Math.sqrt(8), faded.get(0).error(), 1e-12);
    }

    private static Optional<ProfileServers> servers(double exchange) {
        return Optional.of(new ProfileServers(
                new ServersModel(
                        ServersModel.Mode.SYNC,
                        ServersModel.Overlap.NONE,
                        64,
                        new ServersModel.Fitted(0.002, 0.1, exchange, 0.001, 0.002)),
                List.of(),
                OptionalDouble.empty()));
    }

    @Test
    void whatIsKnownOfServersStaysUntilAnotherJobMeasuresIt() {
        ProfileRecord stored =
                record("a", 1, 1, 7, new Point(1, 0, 10, 9, 0.02, 3)).withServers(servers(0.2));
        ProfileRecord ended = record("b", 1, 1, 99, new Point(1, 0, 10, 5, 0.02, 1));
        assertEquals(servers(0.2), merged(stored, Optional.empty(), ended).servers());
        assertEquals(
                servers(0.3),
                merged(stored, Optional.empty(), ended.withServers(servers(0.3)))
                        .servers());
        ProfileRecord onlyServers = stored.withServers(servers(0.3));
        assertEquals(
                servers(0.3), merged(stored, Optional.of(stored), onlyServers).servers());
        assertEquals(Optional.empty(), ProfileMerge.merged(Optional.of(stored), Optional.of(stored), stored, 7));
    }

    /** What the servers of one run could use is nothing to the next job. */
    @Test
    void vcoresOfServersAreNotKept() {
        ProfileRecord stored =
                record("a", 1, 1, 7, new Point(1, 0, 10, 9, 0.02, 3)).withServers(servers(0.2));
        Optional<ProfileServers> wide = servers(0.3).map(known -> known.withVcores(OptionalLong.of(4)));
        ProfileRecord ended = record("b", 1, 1, 99, new Point(1, 0, 10, 5, 0.02, 1));
        assertEquals(
                servers(0.3),
                merged(stored, Optional.empty(), ended.withServers(wide)).servers());
        ProfileRecord only = ended.withServers(Optional.of(ProfileServers.ofVcores(ServersModel.Mode.SYNC, 4)));
        assertEquals(servers(0.2), merged(stored, Optional.empty(), only).servers());
        assertEquals(
                Optional.empty(),
                ProfileMerge.merged(Optional.empty(), Optional.empty(), only, 99)
                        .orElseThrow()
                        .servers());
        assertEquals(
                servers(0.3), ProfileMerge.faded(stored.withServers(wide), 8).servers());
        ProfileRecord same = stored.withServers(servers(0.2).map(known -> known.withVcores(OptionalLong.of(4))));
        assertEquals(Optional.empty(), ProfileMerge.merged(Optional.of(stored), Optional.of(stored), same, 7));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.profile.Profiler;
import io.treadle.am.spec.JobSpec;
import io.treadle.core.wire.JobProgressRecord;
import io.treadle.core.wire.MemoryRecord;
import io.treadle.core.wire.ProfileDataset;
import io.treadle.core.wire.ProfileRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tells the scheduler of the job's profile and progress, not more often than it is of use. */
final class JobPublisher {
    private static final double PROFILE_SECONDS = 5;
    private static final double PROGRESS_SECONDS = 3;
    private static final double MEMORY_SECONDS = 0.5;

    private final JobNode node;
    private final JobIdentity identity;
    private final JobSpec spec;
    private final JobClock clock;

    private Optional<ProfileRecord> published = Optional.empty();
    private boolean profileDue = true;
    private double profileSeconds = Double.NEGATIVE_INFINITY;
    private double progressSeconds = Double.NEGATIVE_INFINITY;
    private Optional<JobProgressRecord> progress = Optional.empty();
    private MemoryRecord memoryGiven = new MemoryRecord(Map.of());
    private double memorySeconds = Double.NEGATIVE_INFINITY;
    /** Holds while workers are started again. */
    private Optional<ProfileDataset> dataset = Optional.empty();

    JobPublisher(JobNode node, JobIdentity identity, JobSpec spec, JobClock clock) {
        this.node = node;
        this.identity = identity;
        this.spec = spec;
        this.clock = clock;
    }

    /**
     * Publishes a new phase at once, better points after a while; returns whether it did.
     *
     * @param stepped whether the profiler goes to another size: what it has measured is published then, so that another
     *     ApplicationMaster need not measure it again
     */
    boolean profile(
            Profiler profiler,
            EnergyWatch energy,
            ServerWatch servers,
            ProfileRecord.Phase phase,
            List<Member> workers,
            boolean stepped) {
        dataset = JobData.of(workers).or(() -> dataset);
        profiler.reads(dataset);
        profileDue |= profiler.takeChanged();
        profileDue |= energy.takeChanged();
        profileDue |= servers.takeChanged();
        profileDue |= JobData.isNews(published.flatMap(ProfileRecord::dataset), dataset);
        boolean newPhase = published.isEmpty() || published.get().phase() != phase;
        if (newPhase || (profileDue && (stepped || clock.seconds() - profileSeconds >= PROFILE_SECONDS))) {
            ProfileRecord now = record(profiler, energy, phase, workers)
                    .withServers(servers.profile())
                    .withComplete(profiler.isComplete());
            published = Optional.of(now);
            profileDue = false;
            profileSeconds = clock.seconds();
            node.publish(now);
            return true;
        }
        return false;
    }

    private ProfileRecord record(
            Profiler profiler, EnergyWatch energy, ProfileRecord.Phase phase, List<Member> workers) {
        long reportedBatchSize =
                workers.stream().mapToLong(m -> m.ownBatchSize).max().orElse(0);
        return new ProfileRecord(
                identity.applicationId(),
                spec.modelTag(),
                identity.gpuModel(),
                spec.batchSize() > 0 ? spec.batchSize() : reportedBatchSize,
                phase,
                Math.max(1, workers.size()),
                profiler.points(),
                clock.wallMs(),
                profiler.jobs(),
                dataset,
                energy.points());
    }

    void progress(long samples, double samplesPerSecond, int restarts, String note) {
        if (clock.seconds() - progressSeconds < PROGRESS_SECONDS) {
            return;
        }
        JobProgressRecord now =
                new JobProgressRecord(samples, spec.totalSamples(), samplesPerSecond, restarts, note, clock.wallMs());
        boolean changed = progress.isEmpty()
                || progress.get().samples() != samples
                || progress.get().restarts() != restarts
                || !progress.get().note().equals(note);
        progressSeconds = clock.seconds();
        if (changed) {
            progress = Optional.of(now);
            node.publish(now);
        }
    }

    /** What containers can live with; said when it is another, and not before anything was asked. */
    void memory(MemoryRecord given) {
        if (!given.equals(memoryGiven) && clock.seconds() - memorySeconds >= MEMORY_SECONDS) {
            memoryGiven = given;
            memorySeconds = clock.seconds();
            node.publish(given);
        }
    }

    Optional<ProfileRecord> published() {
        return published;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * How a job's speed depends on what it gets, as its ApplicationMaster measured it: {@code /treadle/jobs/<app>/profile}
 * and, by model, {@code /treadle/profiles/…} (spec: {@code docs/spec/profile-record.md}).
 *
 * @param applicationId the job that was measured
 * @param modelTag the user's name for the model; empty where none was given
 * @param gpuModel model of the GPUs that it ran on, several joined by {@code +}; empty for CPU-only jobs, and where the
 *     ApplicationMaster does not know it
 * @param batchSize samples in a step of one worker; 0 where unknown
 * @param phase who resizes the job: its AM while {@code PROFILING}, the scheduler from {@code READY} on
 * @param workers workers that ran while it was measured
 * @param points measured points, by rising vcores
 * @param updatedMs wall-clock time of the last point, ms since the epoch
 * @param jobs how many jobs' measurements it holds
 * @param dataset what the job reads; empty where its workers do not say
 * @param energy what its GPUs drew in the configurations that it was measured in; empty where they were not metered
 * @param servers how its speed depends on how many workers and parameter servers it has; empty where that is unknown
 * @param complete whether the points tell how the speed depends on the vcores; false where only one of
 *     several sizes was measured
 */
public record ProfileRecord(
        String applicationId,
        String modelTag,
        String gpuModel,
        long batchSize,
        Phase phase,
        int workers,
        List<Point> points,
        long updatedMs,
        int jobs,
        Optional<ProfileDataset> dataset,
        List<EnergyPoint> energy,
        Optional<ProfileServers> servers,
        boolean complete) {
    /** Points of one record. */
    public static final int MOST_POINTS = 256;

    /** Memory that differs by less is the same: a cache holds whole samples. */
    private static final double ALIKE = 0.95;

    private static final int SCHEMA = 1;
    /** Taken for the relative standard error of points that do not tell it. */
    private static final double UNKNOWN_ERROR = 0.05;
    /** No speed is known better, however often it was measured: so a point goes on following its job. */
    private static final double LEAST_ERROR = 0.005;

    public enum Phase {
        PROFILING,
        READY
    }

    /**
     * @param vcores vcores of each worker
     * @param memoryMiB memory of each worker, MiB; where it reads a dataset, as much of it as it had filled
     * @param storageMBps storage bandwidth that each worker was held to, MB/s; 0 for none
     * @param samplesPerSecond speed of the whole job
     * @param seconds how long this point was measured, over all measurements
     * @param error relative standard error of {@code samplesPerSecond}; 0 where unknown
     * @param count how often it was measured; 0 where it was taken from a profile of another number of workers
     */
    public record Point(
            long vcores,
            long memoryMiB,
            long storageMBps,
            double samplesPerSecond,
            double seconds,
            double error,
            long count) {
        /** Of a worker that was held to no storage bandwidth. */
        public Point(long vcores, long memoryMiB, double samplesPerSecond, double seconds, double error, long count) {
            this(vcores, memoryMiB, 0, samplesPerSecond, seconds, error, count);
        }

        /** Measured once, with an error that nobody knows. */
        public Point(long vcores, long memoryMiB, double samplesPerSecond, double seconds) {
            this(vcores, memoryMiB, samplesPerSecond, seconds, 0, 1);
        }

        /** The relative standard error, or what is taken for it where it is unknown. */
        public double knownError() {
            return error > 0 ? error : UNKNOWN_ERROR;
        }

        /** Whether memory and storage allowed no less than at the other measurement. */
        public boolean hadAsMuchAs(Point other) {
            return memoryMiB >= ALIKE * other.memoryMiB
                    && (storageMBps == 0 || (other.storageMBps > 0 && storageMBps >= other.storageMBps));
        }

        /**
         * This measurement and a later one with as many vcores, of a job that reads a dataset. Where they had another
         * memory or storage bandwidth, the two cannot be mixed: the one that shows more of what the vcores can do
         * stands, which is the faster one, and the one with more where both are as fast.
         */
        public Point informedBy(Point later) {
            if (hadAsMuchAs(later) && later.hadAsMuchAs(this)) {
                return refinedBy(later);
            }
            double allowance = 2 * Math.hypot(knownError(), later.knownError()) * samplesPerSecond;
            double faster = later.samplesPerSecond - samplesPerSecond;
            return faster > allowance || (faster >= -allowance && later.hadAsMuchAs(this)) ? later : this;
        }

        /** The same speed, of which nobody knows any more how much of its data was at hand. */
        public Point withoutMemory() {
            return new Point(vcores, 0, 0, samplesPerSecond, seconds, error, count);
        }

        public Point withError(double newError) {
            return new Point(vcores, memoryMiB, storageMBps, samplesPerSecond, seconds, newError, count);
        }

        public Point withSpeed(double newSamplesPerSecond, double newError, long newCount) {
            return new Point(vcores, memoryMiB, storageMBps, newSamplesPerSecond, seconds, newError, newCount);
        }

        /**
         * Both measurements of this size, each weighed by the inverse of its variance.
         *
         * @param later whose memory and storage bandwidth are taken
         */
        public Point refinedBy(Point later) {
            double weight = 1 / (knownError() * knownError());
            double laterWeight = 1 / (later.knownError() * later.knownError());
            double speed = (weight * samplesPerSecond + laterWeight * later.samplesPerSecond) / (weight + laterWeight);
            return new Point(
                    vcores,
                    later.memoryMiB,
                    later.storageMBps,
                    speed,
                    seconds + later.seconds,
                    Math.max(LEAST_ERROR, 1 / Math.sqrt(weight + laterWeight)),
                    count + later.count);
        }
    }

    public ProfileRecord {
        points = points.stream().sorted(Comparator.comparingLong(Point::vcores)).toList();
        energy = energy.stream()
                .sorted(Comparator.comparingInt(EnergyPoint::gpus)
                        .thenComparingInt(EnergyPoint::nodes)
                        .thenComparingLong(EnergyPoint::batch)
                        .thenComparingDouble(EnergyPoint::capWatts))
                .toList();
    }

    /** Of which all was measured. */
    public ProfileRecord(
            String applicationId,
            String modelTag,
            String gpuModel,
            long batchSize,
            Phase phase,
            int workers,
            List<Point> points,
            long updatedMs,
            int jobs,
            Optional<ProfileDataset> dataset,
            List<EnergyPoint> energy,
            Optional<ProfileServers> servers) {
        this(
                applicationId,
                modelTag,
                gpuModel,
                batchSize,
                phase,
                workers,
                points,
                updatedMs,
                jobs,
                dataset,
                energy,
                servers,
                true);
    }

    /** Of a job of which nobody knows what other numbers of workers and servers would do. */
    public ProfileRecord(
            String applicationId,
            String modelTag,
            String gpuModel,
            long batchSize,
            Phase phase,
            int workers,
            List<Point> points,
            long updatedMs,
            int jobs,
            Optional<ProfileDataset> dataset,
            List<EnergyPoint> energy) {
        this(
                applicationId,
                modelTag,
                gpuModel,
                batchSize,
                phase,
                workers,
                points,
                updatedMs,
                jobs,
                dataset,
                energy,
                Optional.empty());
    }

    /** Of a job whose GPUs were not metered. */
    public ProfileRecord(
            String applicationId,
            String modelTag,
            String gpuModel,
            long batchSize,
            Phase phase,
            int workers,
            List<Point> points,
            long updatedMs,
            int jobs,
            Optional<ProfileDataset> dataset) {
        this(applicationId, modelTag, gpuModel, batchSize, phase, workers, points, updatedMs, jobs, dataset, List.of());
    }

    /** Of one job, whose workers say nothing of what they read. */
    public ProfileRecord(
            String applicationId,
            String modelTag,
            String gpuModel,
            long batchSize,
            Phase phase,
            int workers,
            List<Point> points,
            long updatedMs) {
        this(applicationId, modelTag, gpuModel, batchSize, phase, workers, points, updatedMs, 1, Optional.empty());
    }

    public ProfileRecord withPhase(Phase newPhase) {
        return with(gpuModel, newPhase, points, updatedMs, jobs, dataset, energy, servers, complete);
    }

    public ProfileRecord withGpuModel(String newGpuModel) {
        return with(newGpuModel, phase, points, updatedMs, jobs, dataset, energy, servers, complete);
    }

    public ProfileRecord withPoints(List<Point> newPoints, int newJobs) {
        return with(gpuModel, phase, newPoints, updatedMs, newJobs, dataset, energy, servers, complete);
    }

    public ProfileRecord withUpdatedMs(long newUpdatedMs) {
        return with(gpuModel, phase, points, newUpdatedMs, jobs, dataset, energy, servers, complete);
    }

    public ProfileRecord withDataset(Optional<ProfileDataset> newDataset) {
        return with(gpuModel, phase, points, updatedMs, jobs, newDataset, energy, servers, complete);
    }

    public ProfileRecord withEnergy(List<EnergyPoint> newEnergy) {
        return with(gpuModel, phase, points, updatedMs, jobs, dataset, newEnergy, servers, complete);
    }

    public ProfileRecord withServers(Optional<ProfileServers> newServers) {
        return with(gpuModel, phase, points, updatedMs, jobs, dataset, energy, newServers, complete);
    }

    public ProfileRecord withComplete(boolean newComplete) {
        return with(gpuModel, phase, points, updatedMs, jobs, dataset, energy, servers, newComplete);
    }

    private ProfileRecord with(
            String newGpuModel,
            Phase newPhase,
            List<Point> newPoints,
            long newUpdatedMs,
            int newJobs,
            Optional<ProfileDataset> newDataset,
            List<EnergyPoint> newEnergy,
            Optional<ProfileServers> newServers,
            boolean newComplete) {
        return new ProfileRecord(
                applicationId,
                modelTag,
                newGpuModel,
                batchSize,
                newPhase,
                workers,
                newPoints,
                newUpdatedMs,
                newJobs,
                newDataset,
                newEnergy,
                newServers,
                newComplete);
    }

    /** Measured samples per second by vcores of a worker. */
    public Map<Long, Double> speeds() {
        return points.stream().collect(Collectors.toMap(Point::vcores, Point::samplesPerSecond, (a, b) -> b));
    }

    /**
     * How far the curve can be trusted: the root mean square of its points' relative standard errors, over those points
     * whose error is known. Empty where none is.
     */
    public OptionalDouble rmsError() {
        double[] errors = points.stream()
                .mapToDouble(Point::error)
                .filter(error -> error > 0)
                .toArray();
        double squares = 0;
        for (double error : errors) {
            squares += error * error;
        }
        return errors.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(Math.sqrt(squares / errors.length));
    }

    public String toJson() {
        ObjectNode json = Fields.MAPPER.createObjectNode();
        json.put("schema", SCHEMA)
                .put("applicationId", applicationId)
                .put("modelTag", modelTag)
                .put("gpuModel", gpuModel)
                .put("batchSize", batchSize)
                .put("phase", phase.name().toLowerCase(Locale.ROOT))
                .put("workers", workers)
                .put("updatedMs", updatedMs)
                .put("jobs", jobs);
        if (!complete) {
            json.put("complete", false);
        }
        dataset.ifPresent(d -> d.putInto(json.putObject("dataset")));
        ArrayNode array = json.putArray("points");
        for (Point point : points) {
            array.addObject()
                    .put("vcores", point.vcores())
                    .put("memoryMiB", point.memoryMiB())
                    .put("storageMBps", point.storageMBps())
                    .put("samplesPerSecond", point.samplesPerSecond())
                    .put("seconds", point.seconds())
                    .put("error", point.error())
                    .put("count", point.count());
        }
        if (!energy.isEmpty()) {
            ArrayNode metered = json.putArray("energy");
            energy.forEach(p -> p.writeTo(metered.addObject()));
        }
        servers.ifPresent(known -> known.putInto(json.putObject("servers")));
        return json.toString();
    }

    /** @throws WireFormatException if the text is no such record, or one of its speeds cannot be */
    public static ProfileRecord fromJson(String what, String text) {
        Fields json = Fields.parse(what, text).checkSchema(SCHEMA);
        List<Fields> points = points(what, json, "points");
        List<Fields> energy = json.has("energy") ? points(what, json, "energy") : List.of();
        return new ProfileRecord(
                json.text("applicationId"),
                json.optionalText("modelTag").orElse(""),
                json.optionalText("gpuModel").orElse(""),
                json.integer("batchSize", 0, Long.MAX_VALUE, 0),
                json.word("phase", Phase.class),
                (int) json.integer("workers", 1, 1_000_000),
                points.stream()
                        .map(p -> new Point(
                                p.integer("vcores", 1, 1_000_000),
                                p.integer("memoryMiB", 0, 1L << 40, 0),
                                p.integer("storageMBps", 0, 1L << 40, 0),
                                p.number("samplesPerSecond", 0, 1e12),
                                p.number("seconds", 0, 1e9, 0),
                                p.number("error", 0, 1e6, 0),
                                p.integer("count", 0, 1L << 53, 1)))
                        .toList(),
                json.integer("updatedMs", 0, Long.MAX_VALUE, 0),
                (int) json.integer("jobs", 1, 1_000_000_000, 1),
                json.has("dataset") ? Optional.of(ProfileDataset.from(json.object("dataset"))) : Optional.empty(),
                energy.stream().map(EnergyPoint::from).toList(),
                json.has("servers") ? Optional.of(ProfileServers.from(json.object("servers"))) : Optional.empty(),
                json.flag("complete", true));
    }

    private static List<Fields> points(String what, Fields json, String name) {
        List<Fields> points = json.objects(name);
        if (points.size() > MOST_POINTS) {
            throw new WireFormatException(
                    what + ": field '" + name + "' has " + points.size() + " points, must have at most " + MOST_POINTS);
        }
        return points;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

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
 */
public record ProfileRecord(
        String applicationId,
        String modelTag,
        String gpuModel,
        long batchSize,
        Phase phase,
        int workers,
        List<Point> points,
        long updatedMs) {
    /** Points of one record. */
    public static final int MOST_POINTS = 256;

    private static final int SCHEMA = 1;

    public enum Phase {
        PROFILING,
        READY
    }

    /**
     * @param vcores vcores of each worker
     * @param memoryMiB memory of each worker, MiB
     * @param samplesPerSecond speed of the whole job
     * @param seconds how long this point was measured
     */
    public record Point(long vcores, long memoryMiB, double samplesPerSecond, double seconds) {}

    public ProfileRecord {
        points = points.stream().sorted(Comparator.comparingLong(Point::vcores)).toList();
    }

    public ProfileRecord withPhase(Phase newPhase) {
        return new ProfileRecord(applicationId, modelTag, gpuModel, batchSize, newPhase, workers, points, updatedMs);
    }

    public ProfileRecord withGpuModel(String newGpuModel) {
        return new ProfileRecord(applicationId, modelTag, newGpuModel, batchSize, phase, workers, points, updatedMs);
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
                .put("updatedMs", updatedMs);
        ArrayNode array = json.putArray("points");
        for (Point point : points) {
            array.addObject()
                    .put("vcores", point.vcores())
                    .put("memoryMiB", point.memoryMiB())
                    .put("samplesPerSecond", point.samplesPerSecond())
                    .put("seconds", point.seconds());
        }
        return json.toString();
    }

    /** @throws WireFormatException if the text is no such record, or one of its speeds cannot be */
    public static ProfileRecord fromJson(String what, String text) {
        Fields json = Fields.parse(what, text).checkSchema(SCHEMA);
        List<Fields> points = json.objects("points");
        if (points.size() > MOST_POINTS) {
            throw new WireFormatException(
                    what + ": field 'points' has " + points.size() + " points, must have at most " + MOST_POINTS);
        }
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
                                p.number("samplesPerSecond", 0, 1e12),
                                p.number("seconds", 0, 1e9, 0)))
                        .toList(),
                json.integer("updatedMs", 0, Long.MAX_VALUE, 0));
    }
}

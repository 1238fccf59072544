// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads a profile that a person hands in. Stricter than {@link ProfileRecord#fromJson}, which processes use among each
 * other: what is not understood is refused, as a figure of another unit under another name would be lost without a word.
 */
public final class ProfileImport {
    /** Characters of the longest text that is read. */
    public static final int MOST_CHARACTERS = 1 << 20;

    private static final long MOST_AHEAD_MS = 3_600_000;
    /** As job files allow for a model's tag. */
    private static final int MOST_IN_A_NAME = 128;

    private static final Set<String> RECORD = Set.of(
            "schema",
            "applicationId",
            "modelTag",
            "gpuModel",
            "batchSize",
            "phase",
            "workers",
            "points",
            "updatedMs",
            "jobs",
            "dataset",
            "energy",
            "servers");
    private static final Set<String> POINT =
            Set.of("vcores", "memoryMiB", "storageMBps", "samplesPerSecond", "seconds", "error", "count");
    private static final Set<String> ENERGY = Set.of(
            "gpus", "nodes", "batch", "passes", "capWatts", "samplesPerSecond", "watts", "seconds", "error", "count");
    private static final Set<String> DATASET =
            Set.of("bytes", "samples", "memoryMBps", "diskMBps", "workingMemoryMiB", "nodeMBps");
    private static final Set<String> SERVERS =
            Set.of("mode", "overlap", "batch", "layers", "links", "fitted", "samples", "error");
    private static final Set<String> LAYER = Set.of(
            "forwardSecondsPerSample",
            "backwardSecondsPerSample",
            "forwardSeconds",
            "backwardSeconds",
            "gradientBytes");
    private static final Set<String> LINKS = Set.of(
            "workerBytesPerSecond", "serverBytesPerSecond", "updateSecondsPerByte", "workerSeconds", "serverSeconds");
    private static final Set<String> FITTED = Set.of("compute", "fixed", "exchange", "perWorker", "perServer");
    private static final Set<String> SAMPLE = Set.of("workers", "servers", "seconds");

    private static final JsonFactory STRICT = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private ProfileImport() {}

    /**
     * @param what names the text in messages
     * @param nowMs wall-clock time, ms since the epoch
     * @throws WireFormatException if the text is no profile that can be stored; names the field, its value and what would
     *     be right
     */
    public static ProfileRecord read(String what, String text, long nowMs) {
        if (text.isBlank()) {
            throw new WireFormatException(what + " is empty, must hold a profile as 'profile export' writes it");
        }
        if (text.length() > MOST_CHARACTERS) {
            throw new WireFormatException(
                    what + " has " + text.length() + " characters, must have at most " + MOST_CHARACTERS);
        }
        checkNames(parse(what, text));
        checkAlone(what, text);
        ProfileRecord profile = ProfileRecord.fromJson(what, text);
        check(what, profile, nowMs);
        // Without a time nobody knows how old it is: what is handed in without one is taken for new.
        return profile.updatedMs() == 0 ? profile.withUpdatedMs(nowMs) : profile;
    }

    private static Fields parse(String what, String text) {
        try {
            return Fields.parse(what, text).checkSchema(1);
        } catch (WireFormatException e) {
            String message = String.valueOf(e.getMessage());
            if (message.contains("Non-standard token")) {
                throw new WireFormatException(
                        what + " holds a figure that is no number (NaN or infinity), must hold finite numbers only", e);
            }
            throw e;
        }
    }

    /** Of two fields of a name, or two profiles in a file, all but one would be lost without a word. */
    private static void checkAlone(String what, String text) {
        try (JsonParser parser = STRICT.createParser(text)) {
            parser.nextToken();
            parser.skipChildren();
            if (parser.nextToken() != null) {
                throw new WireFormatException(
                        what + " goes on after its JSON object, must hold one profile and nothing else");
            }
        } catch (IOException e) {
            throw new WireFormatException(what + " is no profile: " + e.getMessage(), e);
        }
    }

    private static void checkNames(Fields record) {
        check(record, RECORD);
        for (Fields point : record.objects("points")) {
            check(point, POINT);
        }
        checkAll(record, "energy", ENERGY);
        if (record.has("dataset")) {
            check(record.object("dataset"), DATASET);
        }
        if (record.has("servers")) {
            Fields servers = record.object("servers");
            check(servers, SERVERS);
            checkAll(servers, "layers", LAYER);
            checkAll(servers, "samples", SAMPLE);
            if (servers.has("links")) {
                check(servers.object("links"), LINKS);
            }
            if (servers.has("fitted")) {
                check(servers.object("fitted"), FITTED);
            }
        }
    }

    private static void checkAll(Fields owner, String name, Set<String> known) {
        for (Fields item : owner.has(name) ? owner.objects(name) : List.<Fields>of()) {
            check(item, known);
        }
    }

    private static void check(Fields object, Set<String> known) {
        for (String name : object.names()) {
            if (!known.contains(name)) {
                throw new WireFormatException(object.what() + ": unknown field '" + name
                        + "'; units are part of the names. Fields: "
                        + String.join(", ", known.stream().sorted().toList()));
            }
        }
    }

    private static void check(String what, ProfileRecord profile, long nowMs) {
        if (profile.modelTag().isEmpty()) {
            throw new WireFormatException(what + ": field 'modelTag' is missing, must name the model");
        }
        checkLength(what, "modelTag", profile.modelTag());
        checkLength(what, "gpuModel", profile.gpuModel());
        if (profile.phase() != ProfileRecord.Phase.READY) {
            throw new WireFormatException(what + ": field 'phase' is 'profiling', must be 'ready': it is not finished");
        }
        if (profile.updatedMs() > nowMs + MOST_AHEAD_MS) {
            throw new WireFormatException(what + ": field 'updatedMs' is " + profile.updatedMs()
                    + ", which is in the future; must be at most " + nowMs + " (ms since 1970)");
        }
        List<ProfileRecord.Point> points = profile.points();
        if (points.isEmpty()) {
            throw new WireFormatException(what + ": field 'points' is empty, must hold at least one point");
        }
        Set<Long> sizes = new HashSet<>();
        for (ProfileRecord.Point point : points) {
            if (!sizes.add(point.vcores())) {
                throw new WireFormatException(
                        what + ": field 'points' has " + point.vcores() + " vcores twice, must have each size once");
            }
            if (point.samplesPerSecond() <= 0) {
                throw new WireFormatException(what + ": field 'samplesPerSecond' at " + point.vcores() + " vcores is "
                        + point.samplesPerSecond() + ", must be above 0");
            }
        }
        checkEnergy(what, profile.energy());
    }

    /** They are names in ZooKeeper, of which there are lists. */
    private static void checkLength(String what, String field, String text) {
        if (text.length() > MOST_IN_A_NAME) {
            throw new WireFormatException(what + ": field '" + field + "' has " + text.length()
                    + " characters, must have at most " + MOST_IN_A_NAME);
        }
    }

    private static void checkEnergy(String what, List<EnergyPoint> energy) {
        for (int i = 0; i < energy.size(); i++) {
            EnergyPoint point = energy.get(i);
            String where = what + ": field 'energy' at " + point.gpus() + " GPUs and " + point.capWatts() + " W ";
            if (!point.isPossible()) {
                throw new WireFormatException(where + "has a speed of " + point.samplesPerSecond()
                        + " samples per second and a draw of " + point.watts() + " W on " + point.nodes()
                        + " nodes; cap, speed and draw must be above 0, the draw of each GPU at most its cap, and each"
                        + " node must have a GPU");
            }
            if (energy.subList(0, i).stream().anyMatch(point::isLike)) {
                throw new WireFormatException(where + "is there twice, must have each configuration once");
            }
        }
    }
}

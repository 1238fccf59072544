// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.core.job.Utility;
import io.treadle.core.model.ps.Layer;
import io.treadle.core.model.ps.LayeredPsModel;
import io.treadle.core.model.ps.LayeredPsModel.Mode;
import io.treadle.core.model.ps.LayeredPsModel.Overlap;
import io.treadle.core.model.ps.ServerLinks;
import io.treadle.simulator.input.JsonLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** What a line of {@code docs/spec/servers-trace.md} says of a job's speed, and of what its end is worth. */
final class ServerModels {
    static final Map<String, Mode> MODES = Map.of("sync", Mode.SYNC, "async", Mode.ASYNC);
    static final Map<String, Overlap> OVERLAPS = Map.of("wait-free", Overlap.WAIT_FREE, "none", Overlap.NONE);

    private static final double MOST_SECONDS = 1e9;
    private static final double MOST_BYTES = 1e14;
    private static final double MOST_SAMPLES = 1e9;
    private static final int MOST_LAYERS = 100_000;
    private static final double MOST_WEIGHT = 1e9;
    private static final double MOST_HOURS = 1e9;

    private ServerModels() {}

    /** @throws io.treadle.simulator.input.InputException if it says neither layers nor what was fitted, or both */
    static LayeredPsModel read(JsonLine job) {
        Mode mode = word(job.field("mode"), MODES, Mode.SYNC);
        double batch = job.field("batch").positive(MOST_SAMPLES);
        JsonLine overlap = job.field("overlap");
        JsonLine fitted = job.field("fitted");
        if (!fitted.isThere()) {
            return new LayeredPsModel(
                    layers(job.field("layers")),
                    links(job.field("links")),
                    mode,
                    word(overlap, OVERLAPS, Overlap.WAIT_FREE),
                    batch);
        }
        for (String other : List.of("layers", "links")) {
            if (job.field(other).isThere()) {
                throw job.field(other).wrong("left out beside 'fitted'");
            }
        }
        if (word(overlap, OVERLAPS, Overlap.NONE) != Overlap.NONE) {
            throw overlap.wrong("none, or left out, beside 'fitted'");
        }
        return LayeredPsModel.ofWhole(
                fitted.field("compute").number(0, MOST_SECONDS),
                seconds(fitted, "fixed"),
                seconds(fitted, "exchange"),
                seconds(fitted, "perWorker"),
                seconds(fitted, "perServer"),
                mode,
                batch);
    }

    private static List<Layer> layers(JsonLine list) {
        if (!list.json().isArray() || list.json().isEmpty() || list.json().size() > MOST_LAYERS) {
            throw list.wrong("a list of 1 to " + MOST_LAYERS + " layers, or 'fitted' in its place");
        }
        List<Layer> layers = new ArrayList<>();
        for (JsonLine layer : list.list()) {
            layers.add(new Layer(
                    layer.field("forwardSecondsPerSample").number(0, MOST_SECONDS),
                    layer.field("backwardSecondsPerSample").number(0, MOST_SECONDS),
                    seconds(layer, "forwardSeconds"),
                    seconds(layer, "backwardSeconds"),
                    layer.field("gradientBytes").number(0, MOST_BYTES)));
        }
        return layers;
    }

    /** What is not said costs nothing. */
    private static ServerLinks links(JsonLine links) {
        return new ServerLinks(
                links.field("workerBytesPerSecond").positiveOr(Double.POSITIVE_INFINITY, MOST_BYTES),
                links.field("serverBytesPerSecond").positiveOr(Double.POSITIVE_INFINITY, MOST_BYTES),
                seconds(links, "updateSecondsPerByte"),
                seconds(links, "workerSeconds"),
                seconds(links, "serverSeconds"));
    }

    private static double seconds(JsonLine of, String field) {
        return of.field(field).numberOr(0, 0, MOST_SECONDS);
    }

    static Utility utility(JsonLine job) {
        JsonLine utility = job.field("utility");
        JsonLine target = utility.field("targetHours");
        return new Utility(
                utility.field("weight").positiveOr(Utility.UNKNOWN.weight(), MOST_WEIGHT),
                utility.field("decayPerHour").numberOr(Utility.UNKNOWN.decayPerHour(), 0, MOST_HOURS),
                target.isThere() ? OptionalDouble.of(target.number(0, MOST_HOURS)) : OptionalDouble.empty());
    }

    private static <T> T word(JsonLine word, Map<String, T> known, T missing) {
        if (!word.isThere()) {
            return missing;
        }
        T value = known.get(word.json().asText());
        if (value == null) {
            throw word.wrong(String.join(" or ", new TreeMap<>(known).keySet()));
        }
        return value;
    }
}

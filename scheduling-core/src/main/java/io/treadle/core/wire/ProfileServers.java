// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How a job's speed depends on how many workers and parameter servers it has: a part of {@link ProfileRecord}.
 *
 * @param model what is known of its iterations
 * @param samples what was measured
 * @param error mean of what each size was foretold by all others, against what was measured, 0.05 for 5 %; empty where the
 *     samples do not tell
 */
public record ProfileServers(ServersModel model, List<Sample> samples, OptionalDouble error) {
    /**
     * A measurement.
     *
     * @param seconds of an iteration, s
     */
    public record Sample(int workers, int servers, double seconds) {}

    /** Of one record. */
    public static final int MOST_SAMPLES = 256;

    private static final double LEAST_SECONDS = 1e-9;

    public ProfileServers {
        samples = List.copyOf(samples);
    }

    void putInto(ObjectNode json) {
        model.putInto(json);
        ArrayNode array = json.putArray("samples");
        for (Sample sample : samples) {
            array.addObject()
                    .put("workers", sample.workers())
                    .put("servers", sample.servers())
                    .put("seconds", sample.seconds());
        }
        error.ifPresent(value -> json.put("error", value));
    }

    static ProfileServers from(Fields json) {
        List<Fields> samples = json.has("samples") ? json.objects("samples") : List.of();
        if (samples.size() > MOST_SAMPLES) {
            throw new WireFormatException(json.what() + ": field 'samples' has " + samples.size()
                    + " samples, must have at most " + MOST_SAMPLES);
        }
        return new ProfileServers(
                ServersModel.from(json),
                samples.stream()
                        .map(sample -> new Sample(
                                (int) sample.integer("workers", 1, 1_000_000),
                                (int) sample.integer("servers", 1, 1_000_000),
                                sample.number("seconds", LEAST_SECONDS, 1e9)))
                        .toList(),
                json.has("error") ? OptionalDouble.of(json.number("error", 0, 1e6)) : OptionalDouble.empty());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How a job's speed depends on how many workers and parameter servers it has: a part of {@link ProfileRecord}.
 *
 * @param mode whether workers wait for each other
 * @param batch samples of an iteration: of all workers where they are synchronous, of each where they are not
 * @param model what is known of its iterations; empty while {@code next} is to be measured
 * @param samples what was measured
 * @param error mean of what each size was foretold by all others, against what was measured, 0.05 for 5 %; empty where the
 *     samples do not tell
 * @param noise what the errors of the samples make uncertain of what is foretold, as its relative standard error; empty where
 *     they are unknown
 * @param next the size that would tell most of what is open; empty where enough is known
 * @param vcores what each server of the running job can use; empty where that is what it asks for. Other jobs of the model
 *     have nothing of it
 */
public record ProfileServers(
        ServersModel.Mode mode,
        double batch,
        Optional<ServersModel> model,
        List<Sample> samples,
        OptionalDouble error,
        OptionalDouble noise,
        Optional<Size> next,
        OptionalLong vcores) {
    /**
     * A measurement.
     *
     * @param seconds of an iteration, s
     * @param error standard error of {@code seconds}, divided by it; empty where nobody knows
     */
    public record Sample(int workers, int servers, double seconds, OptionalDouble error) {
        public Sample(int workers, int servers, double seconds) {
            this(workers, servers, seconds, OptionalDouble.empty());
        }
    }

    /** Numbers of workers and parameter servers. */
    public record Size(int workers, int servers) {}

    /** Of one record. */
    public static final int MOST_SAMPLES = 256;

    private static final double LEAST_SECONDS = 1e-9;
    private static final double MOST_ERROR = 1e6;
    private static final int MOST_TASKS = 1_000_000;
    private static final long MOST_VCORES = 1_000_000;

    public ProfileServers {
        samples = List.copyOf(samples);
    }

    /** Of a job of which enough is known. */
    public ProfileServers(ServersModel model, List<Sample> samples, OptionalDouble error, OptionalDouble noise) {
        this(
                model.mode(),
                model.batch(),
                Optional.of(model),
                samples,
                error,
                noise,
                Optional.empty(),
                OptionalLong.empty());
    }

    /** The same where nobody knows how good the samples are. */
    public ProfileServers(ServersModel model, List<Sample> samples, OptionalDouble error) {
        this(model, samples, error, OptionalDouble.empty());
    }

    /** Of a job of which nothing is known but what its servers can use. */
    public static ProfileServers ofVcores(ServersModel.Mode mode, long vcores) {
        return new ProfileServers(
                mode,
                1,
                Optional.empty(),
                List.of(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                Optional.empty(),
                OptionalLong.of(vcores));
    }

    public ProfileServers withVcores(OptionalLong use) {
        return new ProfileServers(mode, batch, model, samples, error, noise, next, use);
    }

    /** What is of use to other jobs of the model; empty where that is nothing. */
    public Optional<ProfileServers> forOthers() {
        return model.isPresent() ? Optional.of(withVcores(OptionalLong.empty())) : Optional.empty();
    }

    public void putInto(ObjectNode json) {
        if (model.isPresent()) {
            model.get().putInto(json);
        } else {
            json.put("mode", mode.name().toLowerCase(Locale.ROOT)).put("batch", batch);
        }
        ArrayNode array = json.putArray("samples");
        for (Sample sample : samples) {
            ObjectNode one = array.addObject()
                    .put("workers", sample.workers())
                    .put("servers", sample.servers())
                    .put("seconds", sample.seconds());
            sample.error().ifPresent(value -> one.put("error", value));
        }
        error.ifPresent(value -> json.put("error", value));
        noise.ifPresent(value -> json.put("noise", value));
        next.ifPresent(
                size -> json.putObject("next").put("workers", size.workers()).put("servers", size.servers()));
        vcores.ifPresent(value -> json.put("vcores", value));
    }

    /** What status.json has as {@code servers}. */
    public static ProfileServers fromJson(String what, String text) {
        return from(Fields.parse(what, text));
    }

    static ProfileServers from(Fields json) {
        List<Fields> samples = json.has("samples") ? json.objects("samples") : List.of();
        if (samples.size() > MOST_SAMPLES) {
            throw new WireFormatException(json.what() + ": field 'samples' has " + samples.size()
                    + " samples, must have at most " + MOST_SAMPLES);
        }
        boolean isOpen = (json.has("next") || json.has("vcores")) && !json.has("fitted") && !json.has("layers");
        Optional<ServersModel> model = isOpen ? Optional.empty() : Optional.of(ServersModel.from(json));
        return new ProfileServers(
                model.isPresent() ? model.get().mode() : json.word("mode", ServersModel.Mode.class),
                model.isPresent() ? model.get().batch() : ServersModel.batch(json),
                model,
                samples.stream()
                        .map(sample -> new Sample(
                                tasks(sample, "workers"),
                                tasks(sample, "servers"),
                                sample.number("seconds", LEAST_SECONDS, 1e9),
                                share(sample, "error")))
                        .toList(),
                share(json, "error"),
                share(json, "noise"),
                json.has("next") ? Optional.of(size(json.object("next"))) : Optional.empty(),
                json.has("vcores") ? OptionalLong.of(json.integer("vcores", 1, MOST_VCORES)) : OptionalLong.empty());
    }

    private static OptionalDouble share(Fields json, String name) {
        return json.has(name) ? OptionalDouble.of(json.number(name, 0, MOST_ERROR)) : OptionalDouble.empty();
    }

    private static Size size(Fields json) {
        return new Size(tasks(json, "workers"), tasks(json, "servers"));
    }

    private static int tasks(Fields json, String name) {
        return (int) json.integer(name, 1, MOST_TASKS);
    }
}

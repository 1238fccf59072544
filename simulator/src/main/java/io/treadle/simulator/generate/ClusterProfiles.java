// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import io.treadle.simulator.generate.ClusterProfile.Curve;
import io.treadle.simulator.generate.ClusterProfile.GpuBucket;
import io.treadle.simulator.generate.ClusterProfile.GpuCount;
import io.treadle.simulator.generate.ClusterProfile.Knot;
import io.treadle.simulator.generate.ClusterProfile.StateShare;
import io.treadle.simulator.generate.ClusterProfile.TopUsers;
import io.treadle.simulator.generate.ClusterProfile.UserCurve;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The clusters of which the distributions are known. */
public final class ClusterProfiles {
    private static final List<String> NAMES =
            List.of("philly", "helios", "venus", "earth", "saturn", "uranus", "pai", "seren", "kalos");

    private static final double HALF = 50;

    private ClusterProfiles() {}

    public static List<String> names() {
        return NAMES;
    }

    /** @param name one of {@link #names()} */
    static ClusterProfile read(String name) {
        String file = name + ".yaml";
        try (InputStream in = ClusterProfiles.class.getResourceAsStream(file)) {
            Fields fields = new Fields(new Yaml(new SafeConstructor(new LoaderOptions()))
                    .load(Objects.requireNonNull(in, () -> "no resource " + file)));
            return profile(name, fields);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ClusterProfile profile(String name, Fields top) {
        Fields cdf = top.under("durationCdf");
        Fields users = top.under("users");
        return new ClusterProfile(
                name,
                top.text("title"),
                top.has("notes") ? top.texts("notes") : List.of(),
                top.number("jobsPerHour"),
                top.number("meanDurationSeconds"),
                top.number("maxDurationSeconds"),
                knots(cdf.numbers("seconds"), cdf.numbers("percent"), top.number("medianDurationSeconds")),
                top.each("gpus").stream().map(ClusterProfiles::bucket).toList(),
                !top.has("states")
                        ? List.of()
                        : top.each("states").stream()
                                .map(state -> new StateShare(
                                        state.text("name"), state.number("percent"), state.number("gpuTimePercent")))
                                .toList(),
                new UserCurve(
                        (int) users.number("count"),
                        top(users.numbers("topPercent"), users.numbers("gpuTimePercent")),
                        users.is("published")),
                curve(top.under("hours")),
                curve(top.under("weekdays")),
                top.has("queues") ? queues(top.under("queues")) : Map.of());
    }

    private static Map<String, Long> queues(Fields queues) {
        Map<String, Long> all = new LinkedHashMap<>();
        queues.names().forEach(queue -> all.put(queue, (long) queues.number(queue)));
        return all;
    }

    private static Curve curve(Fields fields) {
        return new Curve(Arrays.stream(fields.numbers("weights")).boxed().toList(), fields.is("published"));
    }

    /** The median is one point of the curve more where the two agree; Seren's do not. */
    private static List<Knot> knots(double[] seconds, double[] percent, double median) {
        List<Knot> knots = new ArrayList<>();
        Knot before = new Knot(0, 0);
        for (int i = 0; i < seconds.length; i++) {
            Knot knot = new Knot(seconds[i], percent[i]);
            if (before.seconds() < median
                    && median < knot.seconds()
                    && before.percent() < HALF
                    && HALF < knot.percent()) {
                knots.add(new Knot(median, HALF));
            }
            knots.add(knot);
            before = knot;
        }
        return List.copyOf(knots);
    }

    private static GpuBucket bucket(Fields fields) {
        long upTo = (long) fields.number("gpus");
        List<GpuCount> counts = new ArrayList<>();
        if (fields.has("counts")) {
            double[] gpus = fields.numbers("counts");
            double[] weights = fields.numbers("weights");
            double sum = Arrays.stream(weights).sum();
            for (int i = 0; i < gpus.length; i++) {
                counts.add(new GpuCount((int) gpus[i], weights[i] / sum));
            }
        } else {
            counts.add(new GpuCount((int) upTo, 1));
        }
        return new GpuBucket(
                upTo,
                fields.number("percent"),
                fields.number("meanDurationSeconds"),
                fields.has("rough"),
                List.copyOf(counts));
    }

    private static List<TopUsers> top(double[] percent, double[] gpuTimePercent) {
        List<TopUsers> top = new ArrayList<>();
        for (int i = 0; i < percent.length; i++) {
            top.add(new TopUsers(percent[i], gpuTimePercent[i]));
        }
        return List.copyOf(top);
    }

    /** A mapping of our own resource files; what is missing there is a mistake of ours. */
    private record Fields(Map<?, ?> map) {
        boolean has(String key) {
            return map.containsKey(key);
        }

        private Object value(String key) {
            return Objects.requireNonNull(map.get(key), () -> "no field " + key);
        }

        String text(String key) {
            return value(key).toString();
        }

        List<String> texts(String key) {
            return ((List<?>) value(key)).stream().map(Object::toString).toList();
        }

        boolean is(String key) {
            return (Boolean) value(key);
        }

        double number(String key) {
            return ((Number) value(key)).doubleValue();
        }

        double[] numbers(String key) {
            return ((List<?>) value(key))
                    .stream()
                            .mapToDouble(number -> ((Number) number).doubleValue())
                            .toArray();
        }

        Fields under(String key) {
            return new Fields((Map<?, ?>) value(key));
        }

        List<String> names() {
            return map.keySet().stream().map(Object::toString).toList();
        }

        List<Fields> each(String key) {
            return ((List<?>) value(key))
                    .stream().map(one -> new Fields((Map<?, ?>) one)).toList();
        }
    }
}

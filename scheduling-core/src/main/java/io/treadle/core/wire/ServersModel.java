// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/**
 * How long an iteration takes on so many workers and parameter servers, in numbers (spec: {@code
 * docs/spec/profile-record.md}).
 *
 * @param mode whether workers wait for each other
 * @param overlap whether a layer's gradients travel while others are still computed
 * @param batch samples of an iteration: of all workers where they are synchronous, of each where they are not
 * @param shape what is known of the iteration
 */
public record ServersModel(Mode mode, Overlap overlap, double batch, Shape shape) {
    public enum Mode {
        SYNC,
        ASYNC
    }

    public enum Overlap {
        WAIT_FREE,
        NONE
    }

    /** Layer by layer, or fitted as a whole. */
    public sealed interface Shape permits Layered, Fitted {}

    /**
     * Layers from the first of the forward pass to the last, and what lies between workers and servers.
     *
     * @param workerBytesPerSecond infinite where it is no limit
     * @param serverBytesPerSecond infinite where it is no limit
     */
    public record Layered(
            List<Layer> layers,
            double workerBytesPerSecond,
            double serverBytesPerSecond,
            double updateSecondsPerByte,
            double workerSeconds,
            double serverSeconds)
            implements Shape {
        public Layered {
            layers = List.copyOf(layers);
        }
    }

    /** Times of a layer of one worker, s a sample and s, and the bytes of its gradients. */
    public record Layer(
            double forwardSecondsPerSample,
            double backwardSecondsPerSample,
            double forwardSeconds,
            double backwardSeconds,
            double gradientBytes) {}

    /** {@code compute · samples + fixed + exchange · workers ÷ servers + perWorker · workers + perServer · servers}, s. */
    public record Fitted(double compute, double fixed, double exchange, double perWorker, double perServer)
            implements Shape {}

    /** Layers of one model. */
    public static final int MOST_LAYERS = 2048;

    private static final double MOST_SECONDS = 1e9;
    private static final double MOST_BYTES = 1e18;
    private static final String WORKER_LINK = "workerBytesPerSecond";
    private static final String SERVER_LINK = "serverBytesPerSecond";

    public void putInto(ObjectNode json) {
        json.put("mode", mode.name().toLowerCase(Locale.ROOT))
                .put("overlap", overlap.name().toLowerCase(Locale.ROOT))
                .put("batch", batch);
        if (shape instanceof Fitted fitted) {
            json.putObject("fitted")
                    .put("compute", fitted.compute())
                    .put("fixed", fitted.fixed())
                    .put("exchange", fitted.exchange())
                    .put("perWorker", fitted.perWorker())
                    .put("perServer", fitted.perServer());
        } else if (shape instanceof Layered layered) {
            ArrayNode layers = json.putArray("layers");
            for (Layer layer : layered.layers()) {
                layers.addObject()
                        .put("forwardSecondsPerSample", layer.forwardSecondsPerSample())
                        .put("backwardSecondsPerSample", layer.backwardSecondsPerSample())
                        .put("forwardSeconds", layer.forwardSeconds())
                        .put("backwardSeconds", layer.backwardSeconds())
                        .put("gradientBytes", layer.gradientBytes());
            }
            ObjectNode links = json.putObject("links");
            putLimit(links, WORKER_LINK, layered.workerBytesPerSecond());
            putLimit(links, SERVER_LINK, layered.serverBytesPerSecond());
            links.put("updateSecondsPerByte", layered.updateSecondsPerByte())
                    .put("workerSeconds", layered.workerSeconds())
                    .put("serverSeconds", layered.serverSeconds());
        }
    }

    private static void putLimit(ObjectNode json, String name, double limit) {
        if (limit < Double.POSITIVE_INFINITY) {
            json.put(name, limit);
        }
    }

    /** @throws WireFormatException if it is no such model; the message names the field */
    public static ServersModel from(Fields json) {
        if (json.has("fitted") == json.has("layers")) {
            throw new WireFormatException(json.what() + ": must have one of the fields 'fitted' and 'layers', has "
                    + (json.has("fitted") ? "both" : "none"));
        }
        Overlap overlap = json.has("overlap") ? json.word("overlap", Overlap.class) : Overlap.NONE;
        if (json.has("fitted") && overlap != Overlap.NONE) {
            throw new WireFormatException(json.what()
                    + ": field 'overlap' is 'wait_free', must be 'none' beside 'fitted', which tells no layers apart");
        }
        return new ServersModel(
                json.word("mode", Mode.class),
                overlap,
                batch(json),
                json.has("fitted") ? fitted(json.object("fitted")) : layered(json));
    }

    static double batch(Fields json) {
        return json.number("batch", 1, 1e15);
    }

    private static Fitted fitted(Fields json) {
        Fitted fitted = new Fitted(
                seconds(json, "compute"),
                seconds(json, "fixed"),
                seconds(json, "exchange"),
                seconds(json, "perWorker"),
                seconds(json, "perServer"));
        checkTakesTime(
                json, fitted.compute() + fitted.fixed() + fitted.exchange() + fitted.perWorker() + fitted.perServer());
        return fitted;
    }

    private static Layered layered(Fields json) {
        List<Fields> layers = json.objects("layers");
        if (layers.isEmpty() || layers.size() > MOST_LAYERS) {
            throw new WireFormatException(
                    json.what() + ": field 'layers' has " + layers.size() + " layers, must have 1 to " + MOST_LAYERS);
        }
        Fields links = json.object("links");
        Layered layered = new Layered(
                layers.stream().map(ServersModel::layer).toList(),
                links.number(WORKER_LINK, 1, MOST_BYTES, Double.POSITIVE_INFINITY),
                links.number(SERVER_LINK, 1, MOST_BYTES, Double.POSITIVE_INFINITY),
                seconds(links, "updateSecondsPerByte"),
                seconds(links, "workerSeconds"),
                seconds(links, "serverSeconds"));
        checkTakesTime(
                json,
                layered.workerSeconds()
                        + layered.serverSeconds()
                        + layered.layers().stream()
                                .mapToDouble(ServersModel::computeSeconds)
                                .sum());
        return layered;
    }

    private static Layer layer(Fields json) {
        return new Layer(
                seconds(json, "forwardSecondsPerSample"),
                seconds(json, "backwardSecondsPerSample"),
                seconds(json, "forwardSeconds"),
                seconds(json, "backwardSeconds"),
                json.number("gradientBytes", 0, MOST_BYTES));
    }

    private static double computeSeconds(Layer layer) {
        return layer.forwardSecondsPerSample()
                + layer.backwardSecondsPerSample()
                + layer.forwardSeconds()
                + layer.backwardSeconds();
    }

    private static double seconds(Fields json, String name) {
        return json.number(name, 0, MOST_SECONDS);
    }

    private static void checkTakesTime(Fields json, double seconds) {
        if (!(seconds > 0)) {
            throw new WireFormatException(json.what() + ": all times are 0, an iteration must take some");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.ps;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long an iteration of a job takes on so many workers and parameter servers, layer by layer. Each layer's parameters
 * are spread evenly over the servers. In a backward pass a layer's gradients are pushed and its parameters pulled as soon as
 * they are there and the network is free, the last layer first; the next forward pass begins when those of the first have
 * come (wait-free backpropagation: Zhang et al., Poseidon, USENIX ATC 2017). Numbers of workers and servers are real, so
 * that sizes between whole ones can be looked at. Our own reconstruction of what "layered" means in Yu et al. (INFOCOM
 * 2021), of which the abstract alone could be read.
 */
public final class LayeredPsModel {
    /** When workers wait for each other. */
    public enum Mode {
        /** All workers share one batch, and go on together. */
        SYNC,
        /** Each worker has a batch of its own, and waits for nobody. */
        ASYNC
    }

    /** Whether a layer's gradients travel while others are still computed. */
    public enum Overlap {
        /** As soon as they are there. */
        WAIT_FREE,
        /** When the backward pass has ended. */
        NONE
    }

    private final List<Layer> layers;
    private final ServerLinks links;
    private final Mode mode;
    private final Overlap overlap;
    private final double batch;

    private final double forwardPerSample;
    private final double forwardFixed;
    /** Of the layers from the k-th to the last, s a sample. */
    private final double[] backwardPerSample;
    /** Likewise whatever the samples, s. */
    private final double[] backwardFixed;
    /** Of the layers from the first to the k-th. */
    private final double[] gradientBytes;

    /**
     * @param layers from the first of the forward pass to the last
     * @param batch samples of an iteration: of all workers together where they are synchronous, of each where they are not
     * @throws IllegalArgumentException where there are no layers, or the batch is not above 0
     */
    public LayeredPsModel(List<Layer> layers, ServerLinks links, Mode mode, Overlap overlap, double batch) {
        if (layers.isEmpty()) {
            throw new IllegalArgumentException("no layers; a model has at least 1");
        }
        if (!(batch > 0) || Double.isInfinite(batch)) {
            throw new IllegalArgumentException("batch " + batch + " is not a finite number above 0");
        }
        this.layers = List.copyOf(layers);
        this.links = links;
        this.mode = mode;
        this.overlap = overlap;
        this.batch = batch;
        int count = layers.size();
        backwardPerSample = new double[count];
        backwardFixed = new double[count];
        gradientBytes = new double[count];
        double perSample = 0;
        double fixed = 0;
        double bytes = 0;
        for (int k = 0; k < count; k++) {
            perSample += layers.get(k).forwardSecondsPerSample();
            fixed += layers.get(k).forwardSeconds();
            bytes += layers.get(k).gradientBytes();
            gradientBytes[k] = bytes;
        }
        forwardPerSample = perSample;
        forwardFixed = fixed;
        perSample = 0;
        fixed = 0;
        for (int k = count - 1; k >= 0; k--) {
            perSample += layers.get(k).backwardSecondsPerSample();
            fixed += layers.get(k).backwardSeconds();
            backwardPerSample[k] = perSample;
            backwardFixed[k] = fixed;
        }
    }

    /**
     * An iteration whose layers nobody knows, with what was fitted to it: {@code compute · samples + fixed + exchange ·
     * workers ÷ servers + perWorker · workers + perServer · servers}, samples those of a worker (Peng et al., Optimus,
     * EuroSys 2018).
     *
     * @param compute of a worker, s a sample
     * @param fixed whatever the samples, s
     * @param exchange of gradients where there are as many workers as servers, s
     * @param perWorker what each worker adds, s
     * @param perServer what each server adds, s
     * @throws IllegalArgumentException where a number is not finite or below 0
     */
    public static LayeredPsModel ofWhole(
            double compute,
            double fixed,
            double exchange,
            double perWorker,
            double perServer,
            Mode mode,
            double batch) {
        return new LayeredPsModel(
                List.of(new Layer(0, compute, 0, fixed, exchange)),
                new ServerLinks(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 1, perWorker, perServer),
                mode,
                Overlap.NONE,
                batch);
    }

    /** Whether it is one of {@link #ofWhole}. */
    boolean isWhole() {
        Layer first = layers.get(0);
        return equals(ofWhole(
                first.backwardSecondsPerSample(),
                first.backwardSeconds(),
                first.gradientBytes(),
                links.workerSeconds(),
                links.serverSeconds(),
                mode,
                batch));
    }

    public List<Layer> layers() {
        return layers;
    }

    public ServerLinks links() {
        return links;
    }

    public Mode mode() {
        return mode;
    }

    public Overlap overlap() {
        return overlap;
    }

    /** Samples of an iteration: of all workers where they are synchronous, of each where they are not. */
    public double batch() {
        return batch;
    }

    /** Of one iteration, s. */
    public double iterationSeconds(double workers, double servers) {
        double samples = mode == Mode.SYNC ? batch / workers : batch;
        double perByte = links.secondsPerByte(workers / servers);
        return forwardPerSample * samples
                + forwardFixed
                + backwardSeconds(samples, perByte)
                + links.workerSeconds() * workers
                + links.serverSeconds() * servers;
    }

    /** From the start of the backward pass until the first layer's parameters have come, s. */
    private double backwardSeconds(double samples, double perByte) {
        int last = gradientBytes.length - 1;
        if (overlap == Overlap.NONE) {
            return backwardPerSample[0] * samples + backwardFixed[0] + perByte * gradientBytes[last];
        }
        // The network's last busy time begins with the k-th layer, whose gradients waited for nobody.
        double longest = 0;
        for (int k = 0; k <= last; k++) {
            longest = Math.max(longest, backwardPerSample[k] * samples + backwardFixed[k] + perByte * gradientBytes[k]);
        }
        return longest;
    }

    /** Of all workers together. */
    public double samplesPerSecond(double workers, double servers) {
        double ofIteration = mode == Mode.SYNC ? batch : batch * workers;
        return ofIteration / iterationSeconds(workers, servers);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LayeredPsModel that
                && layers.equals(that.layers)
                && links.equals(that.links)
                && mode == that.mode
                && overlap == that.overlap
                && batch == that.batch;
    }

    @Override
    public int hashCode() {
        return 31 * layers.hashCode() + Double.hashCode(batch);
    }

    @Override
    public String toString() {
        return layers.size() + " layers, " + mode + ", batch " + batch + ", " + links;
    }
}

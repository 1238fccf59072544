// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.ps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.model.ps.LayeredPsModel.Mode;
import io.treadle.core.model.ps.LayeredPsModel.Overlap;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LayeredPsModelTest {
    private static final double EXACT = 1e-12;

    /** 3.6/w of computing, and 0.2 s of a worker's network or 0.2 w/p of the servers'. */
    @Test
    void oneLayer() {
        LayeredPsModel model = KnownPsModels.oneLayer();
        assertEquals(3.8, model.iterationSeconds(1, 1), EXACT);
        assertEquals(2.2, model.iterationSeconds(2, 1), EXACT);
        assertEquals(1.1, model.iterationSeconds(4, 4), EXACT);
        assertEquals(3.6 / 5 + 0.2 * 5 / 3, model.iterationSeconds(5, 3), EXACT);
        assertEquals(1.2, model.iterationSeconds(6, 2), EXACT);
        assertEquals(1.9142857142857144, model.iterationSeconds(7, 1), EXACT);
    }

    /** The last busy time of the network begins with the third layer: .45 s, after a forward pass of .075 s. */
    @Test
    void gradientsTravelWhileOthersAreComputed() {
        assertEquals(0.525, KnownPsModels.threeLayers(Overlap.WAIT_FREE).iterationSeconds(4, 2), EXACT);
        assertEquals(0.625, KnownPsModels.threeLayers(Overlap.NONE).iterationSeconds(4, 2), EXACT);
    }

    @Test
    void knownModels() {
        assertEquals(3.9986, KnownPsModels.vggLike().iterationSeconds(1, 1), EXACT);
        assertEquals(2.07555, KnownPsModels.vggLike().iterationSeconds(8, 4), EXACT);
        assertEquals(3.6931, KnownPsModels.resLike().iterationSeconds(1, 1), EXACT);
        assertEquals(0.56095, KnownPsModels.resLike().iterationSeconds(8, 4), EXACT);
        assertEquals(6.2324, KnownPsModels.lmLike().iterationSeconds(1, 1), EXACT);
        assertEquals(1.69619, KnownPsModels.lmLike().iterationSeconds(8, 4), EXACT);
        assertEquals(0.4042, KnownPsModels.asyncLike().iterationSeconds(1, 1), EXACT);
        assertEquals(0.4342, KnownPsModels.asyncLike().iterationSeconds(8, 4), EXACT);
    }

    /** Samples of workers that do not wait for each other add up. */
    @Test
    void asynchronousWorkersAddUp() {
        assertEquals(32 / 0.4042, KnownPsModels.asyncLike().samplesPerSecond(1, 1), 1e-9);
        assertEquals(8 * 32 / 0.4342, KnownPsModels.asyncLike().samplesPerSecond(8, 4), 1e-9);
    }

    /** Against going through the events one by one. */
    @Test
    void theClosedFormIsWhatHappens() {
        Random random = new Random(11);
        for (int i = 0; i < 2000; i++) {
            LayeredPsModel model = KnownPsModels.random(random);
            double workers = 1 + 31 * random.nextDouble();
            double servers = 1 + 15 * random.nextDouble();
            double expected = events(model, workers, servers);
            assertEquals(expected, model.iterationSeconds(workers, servers), EXACT * Math.max(1, expected));
        }
    }

    /** A layer's push and pull begins when its gradients are there and the network is free. */
    private static double events(LayeredPsModel model, double workers, double servers) {
        double samples = model.mode() == Mode.SYNC ? model.batch() / workers : model.batch();
        ServerLinks links = model.links();
        double perByte = Math.max(
                2 / links.workerBytesPerSecond(),
                (2 / links.serverBytesPerSecond() + links.updateSecondsPerByte()) * (workers / servers));
        double now = 0;
        for (Layer layer : model.layers()) {
            now += layer.forwardSecondsPerSample() * samples + layer.forwardSeconds();
        }
        double networkFree = 0;
        double backward = 0;
        for (int k = model.layers().size() - 1; k >= 0; k--) {
            Layer layer = model.layers().get(k);
            double computed = layer.backwardSecondsPerSample() * samples + layer.backwardSeconds();
            now += computed;
            backward += computed;
            networkFree = Math.max(networkFree, now) + layer.gradientBytes() * perByte;
        }
        if (model.overlap() == Overlap.NONE) {
            double bytes =
                    model.layers().stream().mapToDouble(Layer::gradientBytes).sum();
            networkFree = now - backward + backward + bytes * perByte;
        }
        return networkFree + links.workerSeconds() * workers + links.serverSeconds() * servers;
    }

    @Test
    void moreOverlapIsNeverSlower() {
        Random random = new Random(12);
        for (int i = 0; i < 200; i++) {
            LayeredPsModel model = KnownPsModels.random(random);
            LayeredPsModel none =
                    new LayeredPsModel(model.layers(), model.links(), model.mode(), Overlap.NONE, model.batch());
            LayeredPsModel all =
                    new LayeredPsModel(model.layers(), model.links(), model.mode(), Overlap.WAIT_FREE, model.batch());
            assertTrue(all.iterationSeconds(5, 3) <= none.iterationSeconds(5, 3) * (1 + EXACT));
        }
    }

    @Test
    void badNumbersAreNamed() {
        assertEquals(
                "layer's gradientBytes is -1.0, must be a number of 0 or more",
                assertThrows(IllegalArgumentException.class, () -> new Layer(0, 0, 0, 0, -1))
                        .getMessage());
        assertEquals(
                "serverBytesPerSecond is 0.0, must be above 0",
                assertThrows(IllegalArgumentException.class, () -> new ServerLinks(1, 0, 0, 0, 0))
                        .getMessage());
        assertEquals(
                "batch NaN is not a finite number above 0",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> new LayeredPsModel(
                                        List.of(new Layer(1, 1, 0, 0, 1)),
                                        new ServerLinks(1, 1, 0, 0, 0),
                                        Mode.SYNC,
                                        Overlap.NONE,
                                        Double.NaN))
                        .getMessage());
    }
}

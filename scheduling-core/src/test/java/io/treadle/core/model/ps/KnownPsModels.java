// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.ps;

import io.treadle.core.model.ps.LayeredPsModel.Mode;
import io.treadle.core.model.ps.LayeredPsModel.Overlap;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Models of which answers are known, by a reference implementation of ours. */
public final class KnownPsModels {
    private static final ServerLinks LINKS = new ServerLinks(1.25e9, 1.25e9, 1e-10, 1e-3, 2e-3);

    private KnownPsModels() {}

    /** 3.6/w + max(0.2, 0.2 w/p) s. */
    public static LayeredPsModel oneLayer() {
        return new LayeredPsModel(
                List.of(new Layer(.01, .02, 0, 0, 100e6)),
                new ServerLinks(1e9, 1e9, 0, 0, 0),
                Mode.SYNC,
                Overlap.WAIT_FREE,
                120);
    }

    public static LayeredPsModel threeLayers(Overlap overlap) {
        List<Layer> layers = DoubleStream.of(60e6, 20e6, 20e6)
                .mapToObj(bytes -> new Layer(.001, .002, 0, 0, bytes))
                .toList();
        return new LayeredPsModel(layers, new ServerLinks(1e9, 1e9, 0, 0, 0), Mode.SYNC, overlap, 100);
    }

    /** Much to exchange in the last layers. */
    public static LayeredPsModel vggLike() {
        double[] bytes = {1e6, 4e6, 8e6, 20e6, 30e6, 490e6};
        return new LayeredPsModel(
                IntStream.range(0, 6)
                        .mapToObj(l -> l < 5 ? layer(.001, .002, bytes[l]) : layer(.0002, .0004, bytes[l]))
                        .toList(),
                LINKS,
                Mode.SYNC,
                Overlap.WAIT_FREE,
                256);
    }

    /** Much to compute. */
    public static LayeredPsModel resLike() {
        return new LayeredPsModel(
                DoubleStream.of(2e6, 6e6, 12e6, 25e6, 30e6, 25e6)
                        .mapToObj(bytes -> layer(.0008, .0016, bytes))
                        .toList(),
                LINKS,
                Mode.SYNC,
                Overlap.WAIT_FREE,
                256);
    }

    public static LayeredPsModel lmLike() {
        return new LayeredPsModel(alike(8, layer(.002, .004, 50e6)), LINKS, Mode.SYNC, Overlap.WAIT_FREE, 128);
    }

    public static LayeredPsModel asyncLike() {
        return new LayeredPsModel(alike(4, layer(.001, .002, 10e6)), LINKS, Mode.ASYNC, Overlap.WAIT_FREE, 32);
    }

    private static List<Layer> alike(int count, Layer layer) {
        return IntStream.range(0, count).mapToObj(l -> layer).toList();
    }

    private static Layer layer(double forward, double backward, double bytes) {
        return new Layer(forward, backward, 2e-5, 3e-5, bytes);
    }

    /** Of 4 to 30 layers. */
    public static LayeredPsModel random(Random random) {
        int count = 4 + random.nextInt(27);
        double perSample = .002 + .018 * random.nextDouble();
        double bytes = 30e6 + 545e6 * random.nextDouble();
        double[] compute = new double[count];
        double[] gradients = new double[count];
        for (int l = 0; l < count; l++) {
            compute[l] = Math.pow(random.nextDouble(), 2) + .02;
            gradients[l] = Math.pow(random.nextDouble(), 3) + .01;
        }
        double allCompute = DoubleStream.of(compute).sum();
        double allGradients = DoubleStream.of(gradients).sum();
        List<Layer> layers = new ArrayList<>();
        for (int l = 0; l < count; l++) {
            double here = perSample * compute[l] / allCompute;
            layers.add(new Layer(here / 3, here * 2 / 3, 2e-5, 3e-5, bytes * gradients[l] / allGradients));
        }
        return new LayeredPsModel(
                layers,
                new ServerLinks(
                        3e8 + 12.5e6 + 612.5e6 * random.nextDouble(),
                        625e6 + 1875e6 * random.nextDouble(),
                        1e-11,
                        random.nextInt(4) == 0 ? 1e-2 : 1e-4,
                        1e-4),
                random.nextInt(3) == 0 ? Mode.ASYNC : Mode.SYNC,
                random.nextInt(4) == 0 ? Overlap.NONE : Overlap.WAIT_FREE,
                128 << random.nextInt(3));
    }
}

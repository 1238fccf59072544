// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import io.treadle.am.query.onnx.OnnxFile;
import io.treadle.am.query.tensor.TensorSpec;
import io.treadle.am.query.tensor.TensorType;
import io.treadle.demo.DemoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Models of digits, trained here and written as ONNX: {@code denoise} (image to image), {@code encoder} (image to embedding),
 * {@code digit}, {@code parity} and {@code style} (of embeddings), {@code join} (whether the two before agree).
 */
public final class DigitsModels {
    /** In the order in which they are made. */
    private static final List<String> NAMES = List.of("denoise", "encoder", "digit", "parity", "style", "join");

    private static final int DIGITS = 10;

    private static final double IMAGE_PENALTY = 30;
    private static final double PENALTY = 10;

    private static final TensorSpec LABEL = new TensorSpec("label", TensorType.INT64, List.of(TensorSpec.ANY));
    private static final TensorSpec ODD = new TensorSpec("odd", TensorType.INT64, List.of(TensorSpec.ANY));
    private static final TensorSpec DIGIT = new TensorSpec("digit", TensorType.INT64, List.of(TensorSpec.ANY));
    private static final TensorSpec AGREE = new TensorSpec("agree", TensorType.BOOL, List.of(TensorSpec.ANY));

    private final Path directory;
    private final ModelSizes sizes;
    private final SplittableRandom seeds;

    private DigitsModels(Path directory, ModelSizes sizes, long seed) {
        this.directory = directory;
        this.sizes = sizes;
        seeds = new SplittableRandom(seed);
    }

    /**
     * Trains them and writes {@code NAME.onnx} for each; the same seed gives the same bytes.
     *
     * @param directory made if need be
     */
    public static DemoModels write(Path directory, Digits training, ModelSizes sizes, long seed) {
        try {
            new DigitsModels(Files.createDirectories(directory), sizes, seed).train(training);
            return in(directory);
        } catch (IOException e) {
            throw new DemoException("models cannot be written to " + directory + ": " + e.getMessage(), e);
        }
    }

    /** Those that have been written. */
    static DemoModels in(Path directory) throws IOException {
        List<ModelFile> files = new ArrayList<>();
        for (String name : NAMES) {
            Path file = file(directory, name);
            files.add(new ModelFile(name, file, Files.size(file)));
        }
        return new DemoModels(directory, files, WorkflowMix.demo());
    }

    private static Path file(Path directory, String name) {
        return directory.resolve(name + ".onnx");
    }

    private void train(Digits training) throws IOException {
        float[][] clean = training.images();
        float[][] noisy = new float[clean.length][];
        for (int i = 0; i < noisy.length; i++) {
            noisy[i] = Noise.on(clean[i], seeds.nextLong());
        }
        HiddenLayers layers = ofImages();
        float[][] seen = layers.of(noisy);
        ReadOut readOut = ReadOut.fit(seen, clean, IMAGE_PENALTY);
        write("denoise", new RandomNetwork(layers, readOut).onnx("y"));

        // Those that come after it learn from what it makes of noisy images too.
        float[][] images = both(clean, readOut.of(seen));
        HiddenLayers encoding = ofImages();
        float[][] features = encoding.of(images);
        ReadOut encoder = ReadOut.fit(features, Targets.twice(Targets.embedding(training)), IMAGE_PENALTY);
        write("encoder", new RandomNetwork(encoding, encoder).onnx("y"));

        float[][] embeddings = encoder.of(features);
        write("digit", best(embeddings, Targets.classes(training.labels(), DIGITS), LABEL));
        write("parity", best(embeddings, Targets.classes(training.labels(), 2), ODD));
        write("style", ofEmbeddings(embeddings, Targets.ink(training)).onnx("ink"));
        write("join", join());
    }

    private static float[][] both(float[][] first, float[][] second) {
        float[][] rows = Targets.twice(first);
        System.arraycopy(second, 0, rows, first.length, second.length);
        return rows;
    }

    private HiddenLayers ofImages() {
        return new HiddenLayers(Digits.PIXELS, sizes.imageWide(), sizes.imageFeatures(), seeds.nextLong());
    }

    private RandomNetwork ofEmbeddings(float[][] embeddings, float[][] targets) {
        HiddenLayers layers = new HiddenLayers(
                embeddings[0].length, sizes.embeddingWide(), sizes.embeddingFeatures(), seeds.nextLong());
        return RandomNetwork.train(layers, embeddings, Targets.twice(targets), PENALTY);
    }

    /** Which of the classes it is. */
    private OnnxFile best(float[][] embeddings, float[][] classes, TensorSpec output) {
        return ofEmbeddings(embeddings, classes)
                .onnx("scores")
                .node("ArgMax", List.of("scores"), output.name(), Map.of("axis", 1L, "keepdims", 0L))
                .output(output);
    }

    /** No weights to speak of: there is nothing to gain by keeping it. */
    private static OnnxFile join() {
        return new OnnxFile()
                .input(LABEL)
                .input(ODD)
                .constant("two", new long[] {2}, 1)
                .node("Mod", List.of(LABEL.name(), "two"), "rest")
                .node("Equal", List.of("rest", ODD.name()), AGREE.name())
                .node("Identity", List.of(LABEL.name()), DIGIT.name())
                .output(DIGIT)
                .output(AGREE);
    }

    private void write(String name, OnnxFile file) throws IOException {
        file.write(file(directory, name));
    }
}

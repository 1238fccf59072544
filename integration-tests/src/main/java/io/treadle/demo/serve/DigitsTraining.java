// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import io.treadle.demo.DemoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Trains models in a JVM of its own: that of the demo has the quick compiler alone, with which training takes three times as
 * long, and a small heap.
 */
public final class DigitsTraining {
    private static final int ARGUMENTS = 7;

    private DigitsTraining() {}

    /**
     * As {@link DigitsModels#write}, on the training part of {@link Digits#split} with the same seed.
     *
     * @param directory made if need be
     * @param digits the file of images
     * @param log where it says what is wrong
     * @throws DemoException if it fails
     */
    public static DemoModels run(Path directory, Path digits, ModelSizes sizes, long seed, Path log)
            throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                DigitsTraining.class.getName(),
                directory.toString(),
                digits.toString()));
        for (int size :
                List.of(sizes.imageWide(), sizes.imageFeatures(), sizes.embeddingWide(), sizes.embeddingFeatures())) {
            command.add(String.valueOf(size));
        }
        command.add(String.valueOf(seed));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            Thread reaper = new Thread(process::destroy);
            Runtime.getRuntime().addShutdownHook(reaper);
            try {
                if (process.waitFor() != 0) {
                    throw new DemoException(
                            "models cannot be trained: " + Files.readString(log).strip());
                }
            } finally {
                process.destroy();
                forget(reaper);
            }
            return DigitsModels.in(directory);
        } catch (IOException e) {
            throw new DemoException("models cannot be trained in a JVM of their own: " + e.getMessage(), e);
        }
    }

    private static void forget(Thread reaper) {
        try {
            Runtime.getRuntime().removeShutdownHook(reaper);
        } catch (IllegalStateException e) {
            // This JVM ends already, and runs it.
            return;
        }
    }

    /** In the JVM of its own. */
    public static void main(String[] arguments) {
        if (arguments.length != ARGUMENTS) {
            throw new IllegalArgumentException("has " + Arrays.toString(arguments) + ", must have " + ARGUMENTS);
        }
        int[] sizes = Arrays.stream(arguments, 2, ARGUMENTS - 1)
                .mapToInt(Integer::parseInt)
                .toArray();
        long seed = Long.parseLong(arguments[ARGUMENTS - 1]);
        try {
            DigitsModels.write(
                    Path.of(arguments[0]),
                    DigitsFile.read(Path.of(arguments[1])).split(seed).training(),
                    new ModelSizes(sizes[0], sizes[1], sizes[2], sizes[3]),
                    seed);
        } catch (DemoException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }
}

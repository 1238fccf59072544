// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import io.treadle.demo.DemoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** An image as {@code treadle query --input image=@FILE} takes it. */
public final class ExampleImage {
    private ExampleImage() {}

    /** @return which digit it is */
    public static int write(Path file, Digits images, int index) {
        try {
            Files.writeString(file, "[" + Arrays.toString(images.image(index)) + "]\n");
        } catch (IOException e) {
            throw new DemoException(file + " cannot be written: " + e.getMessage(), e);
        }
        return images.label(index);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import io.treadle.demo.DemoException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Scikit-learn's {@code digits.csv.gz}: in each line the 64 pixels of an image, 0 to 16, then its digit. */
public final class DigitsFile {
    private static final float DARKEST = 16;
    private static final int DIGITS = 10;

    private DigitsFile() {}

    /** @throws DemoException if it cannot be read, or is another file */
    public static Digits read(Path file) {
        List<float[]> images = new ArrayList<>();
        List<Integer> labels = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] fields = line.split(",", -1);
                if (fields.length != Digits.PIXELS + 1) {
                    throw wrong(file, images.size() + 1, "has " + fields.length + " numbers");
                }
                float[] image = new float[Digits.PIXELS];
                for (int pixel = 0; pixel < image.length; pixel++) {
                    image[pixel] = number(file, images.size() + 1, fields[pixel], DARKEST) / DARKEST;
                }
                labels.add((int) number(file, images.size() + 1, fields[Digits.PIXELS], DIGITS - 1));
                images.add(image);
            }
        } catch (IOException e) {
            throw new DemoException(file + " cannot be read: " + e.getMessage(), e);
        }
        if (images.size() < DIGITS) {
            throw new DemoException(file + " has " + images.size() + " images, must have " + DIGITS + " or more");
        }
        return new Digits(
                images.toArray(float[][]::new),
                labels.stream().mapToInt(Integer::intValue).toArray());
    }

    private static float number(Path file, int line, String field, float most) {
        float number;
        try {
            // Some releases write 5 as 5.000000000000000000e+00.
            number = Float.parseFloat(field);
        } catch (NumberFormatException e) {
            throw wrong(file, line, "holds '" + field + "'");
        }
        if (!(number >= 0 && number <= most)) {
            throw wrong(file, line, "holds '" + field + "'");
        }
        return number;
    }

    private static DemoException wrong(Path file, int line, String what) {
        return new DemoException(file + ", line " + line + " " + what + ", must have " + Digits.PIXELS
                + " pixels of 0 to 16 and a digit of 0 to 9");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import io.treadle.am.query.onnx.OnnxFile;
import io.treadle.demo.DemoException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Models that give out what they get, one number, after some work. */
final class BenchModels {
    /** Products of such matrices are in the processor's caches: two workers do not share the memory's bandwidth. */
    private static final int WIDTH = 256;

    private static final int ROWS = 1024;
    private static final int FLOATS_A_MIB = (1 << 20) / Float.BYTES;

    private BenchModels() {}

    /**
     * Writes a model that works.
     *
     * @param products of matrices, which take the time
     * @param mebibytes of weights, which take the time of loading
     */
    static void work(Path file, int products, int mebibytes) {
        int columns = mebibytes * FLOATS_A_MIB / ROWS;
        OnnxFile model = new OnnxFile()
                .input("x", -1, 1)
                .constant("projection", filled(WIDTH * WIDTH, 1f / WIDTH), WIDTH, WIDTH)
                .constant("left", filled(WIDTH, 1f / WIDTH), 1, WIDTH)
                .constant("right", filled(WIDTH, 1), WIDTH, 1)
                .constant("row", filled(ROWS, 1), 1, ROWS)
                .constant("weights", new float[ROWS * columns], ROWS, columns)
                .constant("column", filled(columns, 1), columns, 1)
                // Zero, which nobody knows before there is an x: else all products were made when the model is loaded.
                .node("Sub", List.of("x", "x"), "zero")
                .node("Add", List.of("projection", "zero"), "h0");
        for (int i = 0; i < products; i++) {
            model.node("MatMul", List.of("h" + i, "h0"), "h" + (i + 1));
        }
        try {
            model.node("MatMul", List.of("left", "h" + products), "sums")
                    .node("MatMul", List.of("sums", "right"), "one")
                    .node("MatMul", List.of("x", "row"), "wide")
                    .node("MatMul", List.of("wide", "weights"), "weighed")
                    .node("MatMul", List.of("weighed", "column"), "nothing")
                    .node("Mul", List.of("x", "one"), "same")
                    .node("Add", List.of("same", "nothing"), "y")
                    .output("y", -1, 1)
                    .write(file);
        } catch (IOException e) {
            throw cannotWrite(file, e);
        }
    }

    /** Next to nothing, of so many inputs {@code x0}, {@code x1}, …, which are added. */
    static void sum(Path file, int inputs) {
        OnnxFile model = new OnnxFile();
        for (int i = 0; i < inputs; i++) {
            model.input("x" + i, -1, 1);
        }
        String sum = "x0";
        for (int i = 1; i < inputs; i++) {
            model.node("Add", List.of(sum, "x" + i), i == inputs - 1 ? "y" : "s" + i);
            sum = "s" + i;
        }
        if (inputs == 1) {
            model.node("Identity", List.of("x0"), "y");
        }
        try {
            model.output("y", -1, 1).write(file);
        } catch (IOException e) {
            throw cannotWrite(file, e);
        }
    }

    private static DemoException cannotWrite(Path file, IOException e) {
        return new DemoException(file + " cannot be written: " + e.getMessage(), e);
    }

    private static float[] filled(int length, float value) {
        float[] values = new float[length];
        Arrays.fill(values, value);
        return values;
    }
}

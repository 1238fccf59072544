// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import io.treadle.am.query.onnx.OnnxFile;

/**
 * A network of which only the last layer is trained: as large as wanted, exact in seconds.
 *
 * @param hidden random
 * @param readOut trained
 */
record RandomNetwork(HiddenLayers hidden, ReadOut readOut) {
    static RandomNetwork train(HiddenLayers hidden, float[][] inputs, float[][] targets, double penalty) {
        return new RandomNetwork(hidden, ReadOut.fit(hidden.of(inputs), targets, penalty));
    }

    float[][] of(float[][] inputs) {
        return readOut.of(hidden.of(inputs));
    }

    /** From {@code x} to {@code output}; more may be added to it. */
    OnnxFile onnx(String output) {
        OnnxFile file = new OnnxFile();
        hidden.write(file);
        readOut.write(file, output);
        return file;
    }
}

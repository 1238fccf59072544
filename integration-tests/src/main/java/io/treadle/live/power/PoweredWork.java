// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import io.treadle.demo.DemoJob;
import io.treadle.demo.Work;
import java.util.List;
import java.util.Locale;

/**
 * What an iteration of a model costs simulated GPUs ({@code powered.py} sleeps as long).
 *
 * @param modelTag name under which profiles of the model are kept
 * @param msPerSample of a GPU, ms
 * @param msPerIteration whatever a GPU's part of the batch is, ms
 * @param exchangeMs between GPUs, for each doubling of their number, ms
 * @param sensitivity part of the gradients' time that a power cap slows down
 * @param batch samples of an iteration of all GPUs together
 */
record PoweredWork(
        String modelTag, double msPerSample, double msPerIteration, double exchangeMs, double sensitivity, int batch) {
    /** Scales well, and a cap costs it much. */
    static final PoweredWork VISION = new PoweredWork("vision", 3.0, 4, 4, 0.06, 64);
    /** Scales less, and a cap costs it little. */
    static final PoweredWork SPEECH = new PoweredWork("speech", 2.2, 6, 18, 0.02, 64);
    /** Scales best. */
    static final PoweredWork LANGUAGE = new PoweredWork("language", 4.0, 2, 2, 0.04, 64);

    static final List<PoweredWork> ALL = List.of(VISION, SPEECH, LANGUAGE);

    /** Of an iteration on so many GPUs without a cap, s. */
    double seconds(int gpus) {
        return (msPerIteration + msPerSample * batch / gpus + exchangeMs * Math.log(gpus) / Math.log(2)) / 1000;
    }

    /**
     * A job that takes so long on one GPU without a cap.
     *
     * @param most GPUs that it can use
     */
    DemoJob job(String name, int most, double seconds, double arrivalSeconds) {
        long iterations = Math.max(1, Math.round(seconds / seconds(1)));
        // The trainer's own figures are passed by PoweredSpecs; of these only the tag and the batch count.
        Work work = new Work(modelTag, 0, 1000 * seconds(1), batch);
        return new DemoJob(name, work, most, 1, 1, List.of(), iterations * batch, arrivalSeconds);
    }

    String arguments(long samples) {
        return String.format(
                Locale.ROOT,
                "%.4f %.4f %.4f %.4f %d %d",
                msPerSample,
                msPerIteration,
                exchangeMs,
                sensitivity,
                batch,
                samples);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import io.treadle.demo.DemoJob;
import java.util.List;

/**
 * Jobs by which models become known, and those that then come under a budget.
 *
 * @param learning one of each model, together
 * @param mix by arrival
 * @param budgetShare what the nodes may draw while the mix runs, of what they can
 * @param judged whether what comes out is held to the goals
 */
record PowerMix(List<DemoJob> learning, List<DemoJob> mix, double budgetShare, boolean judged) {
    private static final int MOST_GPUS = 4;

    static final PowerMix USUAL = new PowerMix(
            List.of(
                    PoweredWork.VISION.job("learn-vision", MOST_GPUS, 130, 0),
                    PoweredWork.LANGUAGE.job("learn-language", MOST_GPUS, 130, 0),
                    PoweredWork.SPEECH.job("learn-speech", MOST_GPUS, 160, 0)),
            List.of(
                    PoweredWork.LANGUAGE.job("language-1", MOST_GPUS, 150, 0),
                    PoweredWork.VISION.job("vision-2", MOST_GPUS, 100, 5),
                    PoweredWork.SPEECH.job("speech-3", MOST_GPUS, 80, 12),
                    PoweredWork.VISION.job("vision-4", MOST_GPUS, 60, 30),
                    PoweredWork.LANGUAGE.job("language-5", MOST_GPUS, 110, 40),
                    PoweredWork.SPEECH.job("speech-6", MOST_GPUS, 45, 50),
                    PoweredWork.VISION.job("vision-7", MOST_GPUS, 120, 65),
                    PoweredWork.LANGUAGE.job("language-8", MOST_GPUS, 70, 90)),
            0.5,
            true);

    /** A look at everything. */
    static final PowerMix QUICK = new PowerMix(
            List.of(PoweredWork.VISION.job("learn-vision", MOST_GPUS, 70, 0)),
            List.of(
                    PoweredWork.VISION.job("vision-1", MOST_GPUS, 60, 0),
                    PoweredWork.VISION.job("vision-2", MOST_GPUS, 40, 3)),
            0.5,
            false);

    double budgetWatts() {
        return budgetShare * PowerNodes.peakWatts();
    }
}

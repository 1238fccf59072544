// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import java.util.ArrayList;
import java.util.List;

/**
 * A workflow and how it is asked.
 *
 * @param weight how often it is asked, beside the others' weights
 * @param output which of its outputs is held against the label
 * @param modulus what that output must be: the label's remainder by this
 * @param noisy whether its images come with noise
 */
public record WorkflowMix(String workflow, double weight, String output, int modulus, boolean noisy) {
    private static final int DIGIT = 10;
    private static final int ODD = 2;

    /** Those of the demo; the most popular first, each as often as 1 over its rank (Zipf's law). */
    static List<WorkflowMix> demo() {
        return ranked(List.of(
                new WorkflowMix("recognise", 0, "digit", DIGIT, false),
                new WorkflowMix("check", 0, "digit", DIGIT, true),
                new WorkflowMix("describe", 0, "digit", DIGIT, false),
                new WorkflowMix("parity", 0, "odd", ODD, false)));
    }

    private static List<WorkflowMix> ranked(List<WorkflowMix> mixes) {
        List<WorkflowMix> ranked = new ArrayList<>();
        for (WorkflowMix mix : mixes) {
            double weight = 1.0 / (ranked.size() + 1);
            ranked.add(new WorkflowMix(mix.workflow(), weight, mix.output(), mix.modulus(), mix.noisy()));
        }
        return List.copyOf(ranked);
    }

    int expected(int label) {
        return label % modulus;
    }
}

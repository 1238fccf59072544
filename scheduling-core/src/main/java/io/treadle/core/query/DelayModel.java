// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

/** How long it takes to move models and outputs. */
public interface DelayModel {
    /** From the memory of one host to that of another, ms. */
    double networkMs(double kb);

    /** Between the memory of a host and that of its GPU, ms. */
    double linkMs(double kb);

    /** A model from its host's memory to the GPU's, ms. */
    default double fetchMs(Model model) {
        return linkMs(model.kb());
    }

    /** From the end of a task to the start of one that follows on the same worker, ms: what it takes to be told. */
    default double handOverMs() {
        return 0;
    }

    /** An output from the GPU of one worker to that of another, ms. */
    default double transferMs(double kb) {
        return linkMs(kb) + networkMs(kb) + linkMs(kb);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import java.util.List;

/** A rule that knows nothing of power: no GPU is capped. */
final class Uncapped implements Chooser {
    private final GpuChooser gpus;

    Uncapped(GpuChooser gpus) {
        this.gpus = gpus;
    }

    @Override
    public boolean scales() {
        return gpus.scales();
    }

    @Override
    public List<Choice> choose(Situation situation) {
        return gpus.choose(situation);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import io.treadle.core.model.energy.EnergyProfile;
import java.util.List;

/**
 * Zeus (NSDI 2023) around a rule that chooses GPUs: each job, for itself, takes the cap at which
 * {@code weight x energy + (1 - weight) x highest cap x time} is least, energy and time of an iteration on its GPUs.
 */
final class Zeus implements Chooser {
    private final Chooser gpus;
    private final double weight;

    /**
     * @param weight what energy counts for, from 0 to 1
     * @throws IllegalArgumentException where it is not
     */
    Zeus(Chooser gpus, double weight) {
        if (!(weight >= 0 && weight <= 1)) {
            throw new IllegalArgumentException("Zeus' weight of energy " + weight + " is not from 0 to 1");
        }
        this.gpus = gpus;
        this.weight = weight;
    }

    @Override
    public boolean scales() {
        return gpus.scales();
    }

    @Override
    public List<Choice> choose(Situation situation) {
        return gpus.choose(situation).stream()
                .map(choice -> new Choice(choice.job(), choice.size(), cap(choice)))
                .toList();
    }

    private int cap(Choice choice) {
        EnergyProfile energy = choice.job().energy();
        int best = energy.caps() - 1;
        for (int cap = best - 1; cap >= 0; cap--) {
            best = cost(energy, choice.size(), cap) < cost(energy, choice.size(), best) ? cap : best;
        }
        return best;
    }

    private double cost(EnergyProfile energy, int size, int cap) {
        double highest = energy.gpus(size) * energy.capWatts(energy.caps() - 1);
        return weight * energy.joules(size, cap) + (1 - weight) * highest * energy.seconds(size, cap);
    }
}

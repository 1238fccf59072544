// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.solve.KnapsackItems;
import java.util.List;

/** Jobs at their sizes as items of a knapsack. */
final class Knapsack {
    private Knapsack() {}

    /** @param room what there is */
    static KnapsackItems of(List<Sized> jobs, ResourceVector room) {
        double[] profits = jobs.stream().mapToDouble(Sized::profit).toArray();
        double[][] weights = new double[Shares.RESOURCES][jobs.size()];
        for (int j = 0; j < jobs.size(); j++) {
            double[] use = Shares.amounts(jobs.get(j).use());
            for (int i = 0; i < use.length; i++) {
                weights[i][j] = use[i];
            }
        }
        return new KnapsackItems(profits, weights, Shares.amounts(room));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.solve.KnapsackItems;
import java.util.List;

/** Jobs at their sizes as items of a knapsack. */
final class Knapsack {
    private Knapsack() {}

    /**
     * @param profits what each is worth, in the jobs' order
     * @param offered what there is
     */
    static KnapsackItems of(List<Sized> jobs, double[] profits, ResourceVector offered) {
        double[][] weights = new double[Shares.RESOURCES][jobs.size()];
        for (int j = 0; j < jobs.size(); j++) {
            double[] use = Shares.amounts(jobs.get(j).use());
            for (int i = 0; i < use.length; i++) {
                weights[i][j] = use[i];
            }
        }
        return new KnapsackItems(profits, weights, Shares.amounts(offered));
    }
}

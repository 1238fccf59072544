// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Queries that come at random, as many in any second as in any other on average. */
public final class Arrivals {
    private static final double MS = 1e3;

    private Arrivals() {}

    /**
     * Poisson arrivals; the same seed gives the same.
     *
     * @param images how many there are to ask about
     * @return the first comes at 0
     */
    public static List<Arrival> poisson(List<WorkflowMix> mix, double perSecond, int count, int images, long seed) {
        Random random = new Random(seed);
        List<Arrival> arrivals = new ArrayList<>(count);
        double ms = 0;
        for (int i = 0; i < count; i++) {
            arrivals.add(new Arrival(ms, draw(mix, random), random.nextInt(images), random.nextLong()));
            ms -= Math.log(1 - random.nextDouble()) * MS / perSecond;
        }
        return List.copyOf(arrivals);
    }

    private static WorkflowMix draw(List<WorkflowMix> mix, Random random) {
        double left = random.nextDouble()
                * mix.stream().mapToDouble(WorkflowMix::weight).sum();
        for (WorkflowMix each : mix) {
            left -= each.weight();
            if (left < 0) {
                return each;
            }
        }
        return mix.get(mix.size() - 1);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import java.util.Arrays;

/** Shares out whole percents in proportion to weights. */
final class ShareOut {
    private ShareOut() {}

    /**
     * One percent after the other goes to the one that is furthest below its part (the method of Webster and
     * Sainte-Laguë), beginning with what each has at least.
     *
     * @param total to share out; less is, where all have the most that they may
     * @param weights above 0
     * @return one for each
     */
    static int[] of(int total, int[] least, double[] weights, int[] most) {
        int[] shares = least.clone();
        for (int given = Arrays.stream(least).sum(); given < total; given++) {
            int poorest = -1;
            for (int i = 0; i < shares.length; i++) {
                if (shares[i] < most[i]
                        && (poorest < 0 || (shares[i] + .5) * weights[poorest] < (shares[poorest] + .5) * weights[i])) {
                    poorest = i;
                }
            }
            if (poorest < 0) {
                break;
            }
            shares[poorest]++;
        }
        return shares;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.model.SensitivityMatrix;
import java.util.List;

/** What the best of all ways to divide a node's cores is worth, by trying them all. */
final class Exhaustive {
    private Exhaustive() {}

    /**
     * The most that the jobs' speeds over those at the share add up to, none below its share's.
     *
     * @param each cores of the share
     */
    static double best(List<SensitivityMatrix> profiles, int each, long cores) {
        return best(profiles, 0, each, cores);
    }

    private static double best(List<SensitivityMatrix> profiles, int from, int each, long cores) {
        if (from == profiles.size()) {
            return 0;
        }
        SensitivityMatrix profile = profiles.get(from);
        double share = profile.at(each, 0);
        double best = Double.NEGATIVE_INFINITY;
        for (long c = 1; c <= cores; c++) {
            if (profile.at(c, 0) >= share) {
                best = Math.max(best, profile.at(c, 0) / share + best(profiles, from + 1, each, cores - c));
            }
        }
        return best;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * A figure of Synergy's artifact for the generator's seed 42, jobs 4000 to 4999, which the same run in its rounds must
 * give too.
 *
 * @param rules in its simulator
 * @param hours mean time from submission to end, with as many digits as are known
 */
record Known(Rules rules, String allocation, String hours) {
    boolean agrees(double measured) {
        BigDecimal theirs = new BigDecimal(hours);
        return BigDecimal.valueOf(measured)
                        .setScale(theirs.scale(), RoundingMode.HALF_EVEN)
                        .compareTo(theirs)
                == 0;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.demo.DemoJob;
import java.util.List;
import java.util.stream.LongStream;

/**
 * How much is run.
 *
 * @param mix by arrival
 * @param vcores sizes at which each kind of worker is measured, falling
 * @param secondsPerSize how long at each
 */
record LiveSizes(List<DemoJob> mix, List<Long> vcores, double secondsPerSize) {
    private static final double SECONDS_PER_SIZE = 12;

    /** In minutes. */
    static final LiveSizes USUAL = new LiveSizes(LiveMix.USUAL, from(LiveNodes.MOST_VCORES), SECONDS_PER_SIZE);

    /** A look at all of it: of its figures none says anything. */
    static final LiveSizes QUICK = new LiveSizes(LiveMix.QUICK, from(2), 1);

    LiveSizes {
        mix = List.copyOf(mix);
        vcores = List.copyOf(vcores);
    }

    private static List<Long> from(long most) {
        return LongStream.iterate(most, v -> v > 0, v -> v - 1).boxed().toList();
    }
}

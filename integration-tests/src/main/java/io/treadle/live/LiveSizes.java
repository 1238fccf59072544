// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.demo.DemoJob;
import io.treadle.demo.Work;
import java.util.List;
import java.util.stream.LongStream;

/**
 * How much is run.
 *
 * @param kinds workers that are profiled and measured
 * @param mix jobs of these kinds, by arrival
 * @param vcores sizes at which each kind of worker is measured, falling
 * @param leastSeconds the shortest at each
 * @param judged whether figures are held to the goals
 */
record LiveSizes(List<Work> kinds, List<DemoJob> mix, List<Long> vcores, double leastSeconds, boolean judged) {
    private static final double LEAST_SECONDS = 10;

    /** In minutes. */
    static final LiveSizes USUAL =
            new LiveSizes(LiveKinds.ALL, LiveMix.USUAL, from(LiveNodes.MOST_VCORES), LEAST_SECONDS, true);

    /** A look at all of it: of its figures none says anything. */
    static final LiveSizes QUICK = new LiveSizes(LiveKinds.ALL, LiveMix.QUICK, from(2), 1, false);

    LiveSizes {
        kinds = List.copyOf(kinds);
        mix = List.copyOf(mix);
        vcores = List.copyOf(vcores);
    }

    private static List<Long> from(long most) {
        return LongStream.iterate(most, v -> v > 0, v -> v - 1).boxed().toList();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.cluster.DeviceView;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Eight cards, 0 to 3 on one link and 4 to 7 on another. */
class LinkedGpusTest {
    private static final List<DeviceView> DEVICES = IntStream.range(0, 8)
            .mapToObj(i -> new DeviceView("d" + i, "V100", 16_384, 0, true, "NVLink " + i / 4))
            .toList();

    private static List<Integer> choose(List<Integer> free, int wanted) {
        return LinkedGpus.choose(DEVICES, free, wanted);
    }

    @Test
    void theLinkThatFitsBest() {
        // One card comes from the link that is broken up already, and so does the third pair's.
        assertEquals(List.of(1), choose(List.of(1, 2, 4, 5, 6, 7), 1));
        assertEquals(List.of(1, 2), choose(List.of(1, 2, 4, 5, 6, 7), 2));
        // Three fit on the second link only.
        assertEquals(List.of(4, 5, 6), choose(List.of(1, 2, 4, 5, 6, 7), 3));
    }

    @Test
    void asFewLinksAsCanBe() {
        // No link has five: all of the one with most, and what is left from the other.
        assertEquals(List.of(4, 5, 6, 7, 1), choose(List.of(1, 2, 4, 5, 6, 7), 5));
        assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7), choose(List.of(0, 1, 2, 3, 4, 5, 6, 7), 8));
    }

    @Test
    void inTheNodesOrderWhereAllAreAlike() {
        List<DeviceView> unknown = IntStream.range(0, 4)
                .mapToObj(i -> new DeviceView("d" + i, "V100", 16_384, 0, true))
                .toList();
        assertEquals(List.of(0, 2), LinkedGpus.choose(unknown, List.of(0, 2, 3), 2));
        assertEquals(List.of(0), choose(List.of(0, 1, 2, 3, 4, 5, 6, 7), 1));
    }
}

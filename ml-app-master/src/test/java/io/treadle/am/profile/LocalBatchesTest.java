// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class LocalBatchesTest {
    @Test
    void thoseOfFourGpusOfTheMostAndOneBetween() {
        assertEquals(List.of(128L, 64L, 32L), LocalBatches.of(256, 256, 1, 8), "of 2, 4 and 8 GPUs");
        assertEquals(List.of(128L, 64L, 16L), LocalBatches.of(256, 256, 1, 16), "2, 4, 16");
        assertEquals(List.of(64L, 16L, 4L), LocalBatches.of(256, 256, 1, 64), "4, 16, 64");
        assertEquals(List.of(128L, 64L), LocalBatches.of(256, 256, 1, 4));
        assertEquals(List.of(128L), LocalBatches.of(256, 256, 1, 2));
        assertEquals(List.of(), LocalBatches.of(256, 256, 1, 1));
        assertEquals(List.of(), LocalBatches.of(256, 256, 1, 0), "nobody knows how many it may have");
    }

    @Test
    void ofSeveralGpusThoseOfMore() {
        assertEquals(List.of(64L, 32L), LocalBatches.of(128, 256, 2, 8), "4 and 8");
        assertEquals(List.of(32L, 16L), LocalBatches.of(64, 256, 4, 16), "8 and 16");
    }

    @Test
    void whatDoesNotDivideIsRoundedUpAndNothingComesTwice() {
        assertEquals(List.of(50L, 25L, 13L), LocalBatches.of(100, 100, 1, 8));
        assertEquals(List.of(1L), LocalBatches.of(3, 3, 1, 64));
        assertEquals(List.of(), LocalBatches.of(1, 1, 1, 64));
    }

    @Test
    void noMoreThanAPassHoldsNow() {
        assertEquals(List.of(32L), LocalBatches.of(64, 256, 1, 8), "it adds up four passes already");
    }
}

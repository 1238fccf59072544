// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuShareTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 64})
    void allVcoresTakeAtMostThreeQuartersOfTheMachine(int processors) {
        CpuShare share = CpuShare.of(processors, 56);

        assertTrue(share.coresPerVcore() > 0);
        assertTrue(share.coresPerVcore() * 56 <= 0.75 * processors);
    }

    @Test
    void aVcoreDoesTheSameWorkOnEveryMachine() {
        CpuShare small = CpuShare.of(1, 56);

        assertEquals(CpuShare.USUAL / 2, small.coresPerVcore() / small.scale(2), 1e-9);
        assertEquals(CpuShare.USUAL, CpuShare.of(64, 56).coresPerVcore());
    }
}

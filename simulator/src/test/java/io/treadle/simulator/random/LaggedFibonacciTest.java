// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.random;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaggedFibonacciTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 606, 607, 608, 100_003})
    void aJumpEndsWhereStepsDo(int steps) {
        long[] state = new Random(7).longs(LaggedFibonacci.LENGTH).toArray();
        LaggedFibonacci stepping = new LaggedFibonacci(state);
        for (int i = 0; i < steps; i++) {
            stepping.next();
        }
        LaggedFibonacci jumped = new LaggedFibonacci(LaggedFibonacci.jump(state, steps));
        for (int i = 0; i < 2000; i++) {
            assertEquals(stepping.next(), jumped.next());
        }
    }
}

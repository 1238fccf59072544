// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class RunSampleTest {
    private final RunSample sample = new RunSample();

    @Test
    void nothingHasNoQuantiles() {
        assertEquals(List.of(), sample.quantiles());
    }

    @Test
    void oneIsAllOfThem() {
        sample.add(7);
        assertEquals(RunSample.QUANTILES, sample.quantiles().size());
        assertEquals(List.of(7.0), sample.quantiles().stream().distinct().toList());
    }

    @Test
    void fromTheLeastToTheMost() {
        for (int i = 200; i >= 0; i--) {
            sample.add(i);
        }
        List<Double> quantiles = sample.quantiles();
        for (int i = 0; i < RunSample.QUANTILES; i++) {
            assertEquals(10.0 * i, quantiles.get(i));
        }
    }

    @Test
    void onlyTheLastOnesCount() {
        for (int i = 0; i < 10 * RunSample.MOST; i++) {
            sample.add(i < 9 * RunSample.MOST ? 1e6 : 5);
        }
        assertEquals(List.of(5.0), sample.quantiles().stream().distinct().toList());
    }
}

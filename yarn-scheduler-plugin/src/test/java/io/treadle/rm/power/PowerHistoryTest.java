// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class PowerHistoryTest {
    private final PowerHistory history = new PowerHistory();

    private void add(int steps) {
        for (int i = 1; i <= steps; i++) {
            history.add(new PowerHistory.Sample(
                    i * PowerHistory.STEP_MS, i, OptionalDouble.of(2.0 * i), Map.of("root.a", i / 2.0)));
        }
    }

    @Test
    void lastHourIsFineAndMinutesBeforeItAreMeans() {
        add(366);
        List<PowerHistory.Sample> samples = history.samples();
        assertEquals(361, samples.size());
        assertEquals(360, history.lastHour().size());
        // The first six steps are one minute: 1 to 6 W.
        assertEquals(
                new PowerHistory.Sample(60_000, 3.5, OptionalDouble.of(12), Map.of("root.a", 1.75)), samples.get(0));
        assertEquals(7, samples.get(1).watts());
    }

    @Test
    void aDayIsKeptAndNoMore() {
        add(3 * 8640);
        List<PowerHistory.Sample> samples = history.samples();
        assertEquals(360 + 23 * 60, samples.size());
        long newest = 3 * 8640 * PowerHistory.STEP_MS;
        assertEquals(newest, samples.get(samples.size() - 1).atMs());
        assertEquals(
                newest - 3_600_000 - 23 * 3_600_000 + 60_000, samples.get(0).atMs());
        for (int i = 1; i < samples.size(); i++) {
            assertEquals(
                    i < 23 * 60 ? 60_000 : 10_000,
                    samples.get(i).atMs() - samples.get(i - 1).atMs());
        }
    }

    @Test
    void sampleKeepsTheQueuesThatDrawMost() {
        Map<String, Double> queues = new java.util.HashMap<>();
        for (int i = 0; i < 3 * PowerHistory.MOST_QUEUES; i++) {
            queues.put("root.q" + i, (double) i);
        }
        PowerHistory.Sample sample = new PowerHistory.Sample(1, 1, OptionalDouble.empty(), queues);
        assertEquals(PowerHistory.MOST_QUEUES, sample.queues().size());
        assertEquals(
                2.0 * PowerHistory.MOST_QUEUES,
                sample.queues().values().stream().mapToDouble(w -> w).min().orElse(0));
    }
}

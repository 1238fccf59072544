// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.treadle.simulator.cluster.FailureRate;
import io.treadle.simulator.cluster.Outage;
import io.treadle.simulator.cluster.Outages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When nodes fail and come back. */
class NodeChangesTest {
    private static final FailureRate RATE = new FailureRate(100_000, 20_000);

    /** {@code ms node kind}, up to a moment. */
    private static List<String> texts(Outages outages, long untilMs) {
        NodeChanges changes = new NodeChanges(outages);
        List<String> texts = new ArrayList<>();
        for (long ms = changes.nextMs(); ms <= untilMs; ms = changes.nextMs()) {
            long now = ms;
            changes.until(ms).forEach(change -> texts.add(now + " " + change.node() + " " + change.kind()));
        }
        return texts;
    }

    @Test
    void reasonsAddUp() {
        // Maintenance, announced at 10, from 20 to 40; a failure from 30 to 50, and one from 50 to 60 that follows at
        // once.
        Outages told = new Outages(
                List.of(new Outage("n", 10, 20, 40), new Outage("n", 30, 30, 50), new Outage("n", 50, 50, 60)),
                Map.of(),
                0);
        assertEquals(
                List.of(
                        "10 n CLOSES",
                        "20 n GOES_DOWN",
                        "50 n COMES_UP",
                        "50 n OPENS",
                        "50 n CLOSES",
                        "50 n GOES_DOWN",
                        "60 n COMES_UP",
                        "60 n OPENS"),
                texts(told, 100));
    }

    /** 100 nodes over 1,000 mean times: a mean of some 80,000 draws is within 2 % of the rate's. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void drawnTimesHaveTheirMeans(long seed) {
        Map<String, FailureRate> rates = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            rates.put("n" + i, RATE);
        }
        Map<String, Long> sinceMs = new HashMap<>();
        double[] sum = new double[2];
        int[] count = new int[2];
        NodeChanges changes = new NodeChanges(new Outages(List.of(), rates, seed));
        for (long ms = changes.nextMs(); ms <= 100_000_000; ms = changes.nextMs()) {
            for (NodeChanges.Change change : changes.until(ms)) {
                boolean isDown = change.kind() == NodeChanges.Kind.GOES_DOWN;
                if (isDown || change.kind() == NodeChanges.Kind.COMES_UP) {
                    int which = isDown ? 0 : 1;
                    sum[which] += ms - sinceMs.getOrDefault(change.node(), 0L);
                    count[which]++;
                    sinceMs.put(change.node(), ms);
                }
            }
        }
        assertEquals(100_000, sum[0] / count[0], 2_000, "seed " + seed);
        assertEquals(20_000, sum[1] / count[1], 400, "seed " + seed);
    }

    @Test
    void eachNodeHasAStreamOfItsOwn() {
        List<String> few = texts(new Outages(List.of(), Map.of("a", RATE, "b", RATE), 7), 10_000_000);
        List<String> more = texts(new Outages(List.of(), Map.of("a", RATE, "b", RATE, "c", RATE), 7), 10_000_000);
        assertEquals(few, more.stream().filter(text -> !text.contains(" c ")).toList());
        assertNotEquals(few, texts(new Outages(List.of(), Map.of("a", RATE, "b", RATE), 8), 10_000_000));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two queues with goals, with and without one that has none, where a formula says which goals hold. */
class CapacitySearchTest {
    private final Set<Split> looked = new HashSet<>();

    /** Whether a goal holds, by what its queue and the other one with a goal have. */
    interface Model {
        boolean holds(int queue, int own, int other);
    }

    private static Splits splits(int mostOfThird) {
        List<Splits.Queue> queues =
                new ArrayList<>(List.of(new Splits.Queue(30, 100, true), new Splits.Queue(20, 90, true)));
        if (mostOfThird > 0) {
            queues.add(new Splits.Queue(50, mostOfThird, false));
        }
        return new Splits(queues);
    }

    private CapacitySearch search(Splits splits, Model model) {
        looked.clear();
        return new CapacitySearch(
                splits,
                some -> {
                    Map<Split, Set<Integer>> holds = new HashMap<>();
                    for (Split split : some) {
                        assertTrue(looked.add(split), () -> split + " twice");
                        assertEquals(
                                Splits.ALL,
                                split.percents().stream()
                                        .mapToInt(percent -> percent)
                                        .sum());
                        holds.put(split, holding(splits, model, split));
                    }
                    return holds;
                },
                line -> {});
    }

    private static Set<Integer> holding(Splits splits, Model model, Split split) {
        Set<Integer> holding = new HashSet<>();
        for (int i = 0; i < 2; i++) {
            if (model.holds(i, splits.of(split, i), splits.of(split, 1 - i))) {
                holding.add(i);
            }
        }
        return holding;
    }

    /** All splits in multiples of a step with which both goals hold, as arrays of what the two have. */
    private static List<int[]> all(Splits splits, Model model, int step) {
        List<int[]> good = new ArrayList<>();
        for (int a = step; a <= Splits.ALL; a += step) {
            for (int b = step; a + b <= Splits.ALL; b += step) {
                int[] wants = {a, b};
                splits.split(wants)
                        .filter(split -> splits.of(split, 0) == wants[0] && splits.of(split, 1) == wants[1])
                        .filter(split -> holding(splits, model, split).size() == 2)
                        .ifPresent(split -> good.add(wants));
            }
        }
        return good;
    }

    /** What each needs grows with what the other has: then both have the least with which both hold. */
    @ParameterizedTest
    @ValueSource(ints = {0, 60, 100})
    void findsTheLeastWhereTheOtherHurts(int mostOfThird) {
        int found = 0;
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int[] needs = {1 + random.nextInt(50), 1 + random.nextInt(50)};
            double[] hurts = {random.nextDouble(), random.nextDouble()};
            Model model = (queue, own, other) -> own >= needs[queue] + hurts[queue] * other;
            Splits splits = splits(mostOfThird);
            Optional<Split> split = search(splits, model).find(Optional.empty());
            List<int[]> good = all(splits, model, 1);
            assertEquals(!good.isEmpty(), split.isPresent(), "seed " + seed);
            if (split.isPresent()) {
                int[] wants = splits.wants(split.get());
                assertEquals(2, holding(splits, model, split.get()).size(), "seed " + seed);
                int least =
                        good.stream().mapToInt(each -> each[0] + each[1]).min().orElseThrow();
                assertEquals(least, wants[0] + wants[1], "seed " + seed);
                found++;
            }
        }
        assertTrue(found > 30 && found < 270, found + " of 300");
    }

    /** Where anything may be: what is found holds, and nothing a little lower does. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void isHonestWhereMoreDoesNotAlwaysHelp(long seed) {
        Random random = new Random(seed);
        for (int run = 0; run < 100; run++) {
            boolean[][][] holds = new boolean[2][101][101];
            double hardness = .3 + random.nextDouble();
            for (int i = 0; i < 2; i++) {
                for (int own = 0; own <= 100; own++) {
                    for (int other = 0; other <= 100; other++) {
                        holds[i][own][other] = random.nextDouble() * 100 * hardness < own - other * .2;
                    }
                }
            }
            Model model = (queue, own, other) -> holds[queue][own][other];
            String what = "seed " + seed + ", run " + run;
            Splits splits = splits(100);
            CapacitySearch search = search(splits, model);
            Optional<Split> split = search.find(Optional.empty());
            if (split.isEmpty()) {
                assertEquals(List.of(), all(splits, model, 5), what);
                assertEquals(5, search.step().orElseThrow(), what);
                continue;
            }
            assertEquals(2, holding(splits, model, split.get()).size(), what);
            int[] wants = splits.wants(split.get());
            for (int i = 0; i < 2; i++) {
                assertTrue(search.line(i).containsValue(split.get()), what);
                for (int less = 1; less <= SizeSearch.BELOW && less < wants[i]; less++) {
                    Split lower = splits.along(i, wants[i] - less, wants).orElseThrow();
                    assertFalse(holding(splits, model, lower).size() == 2, what);
                }
            }
        }
    }

    /** Where both have all there is, a split that does stays. */
    @Test
    void keepsWhatDoes() {
        Split now = new Split(List.of(30, 70));
        Model model = (queue, own, other) -> own >= 25;
        assertEquals(Optional.of(now), search(splits(0), model).find(Optional.of(now)));
        // Each needs 25: the other half is shared alike.
        assertEquals(
                Optional.of(new Split(List.of(50, 50))),
                search(splits(0), model).find(Optional.of(new Split(List.of(20, 80)))));
        // With a queue that has no goal both get no more than they need.
        assertEquals(
                Optional.of(new Split(List.of(25, 25, 50))),
                search(splits(100), model).find(Optional.of(new Split(List.of(30, 30, 40)))));
        // Unless it may not have so much: what it may not hold goes to them in proportion.
        assertEquals(
                Optional.of(new Split(List.of(35, 35, 30))),
                search(splits(30), model).find(Optional.empty()));
    }

    @Test
    void saysForWhomThereIsNotEnough() {
        CapacitySearch search = search(splits(100), (queue, own, other) -> own >= (queue == 0 ? 40 : 65));
        assertEquals(Optional.empty(), search.find(Optional.empty()));
        assertEquals(1, search.lacking().orElseThrow());
        // The first has its 40 and the third its 1.
        assertEquals(new Split(List.of(40, 59, 1)), search.nearest().orElseThrow());
        // 19 × 18 / 2 pairs of multiples of 5 are together no more than 99.
        assertEquals(5, search.step().orElseThrow());
        assertTrue(looked.size() >= 171 && search.looks() == looked.size(), () -> looked.size() + " looks");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SizeSearchTest {
    private final List<Integer> looked = new ArrayList<>();

    private SizeSearch search(int least, int most, IntPredicate holds) {
        looked.clear();
        return new SizeSearch(least, most, sizes -> {
            Map<Integer, Boolean> known = new HashMap<>();
            for (int size : sizes) {
                assertTrue(size >= least && size <= most, () -> size + " is out of " + least + " to " + most);
                assertFalse(looked.contains(size), () -> size + " twice");
                looked.add(size);
                known.put(size, holds.test(size));
            }
            return known;
        });
    }

    /** Where more always helps: the very smallest, wherever the search begins. */
    @Test
    void findsTheSmallestOfAll() {
        for (int least = 1; least <= 3; least++) {
            for (int most = least; most <= 40; most++) {
                for (int first = least; first <= most; first++) {
                    for (int smallest = least; smallest <= most + 1; smallest++) {
                        int bound = smallest;
                        OptionalInt found =
                                search(least, most, size -> size >= bound).smallest(first);
                        assertEquals(
                                smallest > most ? OptionalInt.empty() : OptionalInt.of(smallest),
                                found,
                                least + " to " + most + " from " + first);
                    }
                }
            }
        }
    }

    @Test
    void looksAtFewSizes() {
        assertEquals(
                OptionalInt.of(7321), search(1, 100_000, size -> size >= 7321).smallest(500));
        assertTrue(looked.size() <= 35, () -> looked.size() + " looks: " + looked);
    }

    /** Where more does not always help: it holds at what is found, and not at its three neighbours below. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void isHonestWhereMoreDoesNotAlwaysHelp(long seed) {
        Random random = new Random(seed);
        for (int run = 0; run < 500; run++) {
            int most = 1 + random.nextInt(60);
            boolean[] holds = new boolean[most + 1];
            for (int size = 1; size <= most; size++) {
                holds[size] = random.nextInt(most) < size;
            }
            SizeSearch search = search(1, most, size -> holds[size]);
            OptionalInt found = search.smallest(1 + random.nextInt(most));
            String what = "seed " + seed + ", run " + run;
            if (found.isEmpty()) {
                assertFalse(holds[most], what);
                continue;
            }
            int size = found.getAsInt();
            assertTrue(holds[size], what);
            for (int below = Math.max(1, size - SizeSearch.BELOW); below < size; below++) {
                assertFalse(holds[below], what);
            }
            List<Integer> failing = looked.stream()
                    .filter(other -> other > size && !holds[other])
                    .sorted()
                    .toList();
            assertEquals(failing, search.failingAbove(size), what);
        }
    }
}

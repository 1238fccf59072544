// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class GpuModelCacheTest {
    private static final List<Model> MODELS =
            IntStream.range(0, 5).mapToObj(id -> new Model(id, "m" + id, 20)).toList();
    private static final Model LARGE = new Model(9, "large", 40);

    /** Holds m0 to m4, that came in this order; m1 was used after. */
    private static GpuModelCache full(Eviction eviction) {
        GpuModelCache cache = new GpuModelCache(100, eviction);
        MODELS.forEach(cache::add);
        cache.pin(1);
        cache.unpin(1);
        return cache;
    }

    private static List<Integer> gone(GpuModelCache cache, int... queue) {
        List<List<Model>> upcoming =
                IntStream.of(queue).mapToObj(id -> List.of(MODELS.get(id))).toList();
        return cache.makeRoom(LARGE.kb(), List.of(), upcoming).orElseThrow().stream()
                .map(Model::id)
                .toList();
    }

    @Test
    void firstInFirstOut() {
        assertEquals(List.of(0, 1), gone(full(Eviction.FIFO), 0, 1));
    }

    @Test
    void leastRecentlyUsed() {
        assertEquals(List.of(0, 2), gone(full(Eviction.LRU), 0, 2));
    }

    @Test
    void allThatIsIdleGoesWhateverWaitsForIt() {
        GpuModelCache cache = full(Eviction.LRU);
        cache.pin(3);
        assertEquals(
                List.of(0, 1, 2, 4), cache.dropIdle().stream().map(Model::id).toList());
        assertEquals(List.of(MODELS.get(3)), cache.models());
        assertEquals(80, cache.freeKb());
        assertEquals(List.of(), cache.dropIdle());
    }

    @Test
    void lookAheadKeepsWhatIsNeededSoon() {
        assertEquals(List.of(2, 4), gone(full(Eviction.LOOK_AHEAD), 0, 1, 3));
        // All are needed: those last that are needed first.
        assertEquals(List.of(3, 1), gone(full(Eviction.LOOK_AHEAD), 0, 2, 4, 1, 3, 3));
        // None is needed: the least recently used.
        assertEquals(List.of(0, 2), gone(full(Eviction.LOOK_AHEAD)));
    }

    @Test
    void whatIsUsedNeverGoes() {
        GpuModelCache cache = full(Eviction.FIFO);
        cache.pin(0);
        assertEquals(List.of(1, 2), gone(cache));
        assertThrows(IllegalStateException.class, () -> cache.remove(0));
        assertTrue(cache.holds(0));
    }

    @Test
    void whereThereCannotBeRoomAllStay() {
        GpuModelCache cache = full(Eviction.LRU);
        Stream.of(0, 1, 2).forEach(cache::pin);
        assertEquals(Optional.empty(), cache.makeRoom(60, List.of(), List.of()));
        assertEquals(Optional.empty(), cache.makeRoom(40, List.of(3), List.of()));
        assertEquals(5, cache.models().size());
        assertEquals(Optional.empty(), new GpuModelCache(100, Eviction.LRU).makeRoom(101, List.of(), List.of()));
    }

    @Test
    void refusesWhatCannotBe() {
        GpuModelCache cache = full(Eviction.LRU);
        assertThrows(IllegalArgumentException.class, () -> cache.add(MODELS.get(1)));
        assertThrows(IllegalStateException.class, () -> cache.add(LARGE));
        assertThrows(IllegalArgumentException.class, () -> cache.pin(9));
        assertThrows(IllegalStateException.class, () -> cache.unpin(1));
        assertThrows(IllegalArgumentException.class, () -> new GpuModelCache(0, Eviction.LRU));
        assertEquals(
                "must be one of look-ahead, lru, fifo",
                assertThrows(IllegalArgumentException.class, () -> Eviction.of("random"))
                        .getMessage());
    }

    @RepeatedTest(30)
    void whateverHappensMemoryAddsUpAndWhatIsUsedStays(RepetitionInfo info) {
        Random random = new Random(info.getCurrentRepetition());
        Eviction eviction = Eviction.values()[info.getCurrentRepetition() % Eviction.values().length];
        GpuModelCache cache = new GpuModelCache(100, eviction);
        List<Model> models = IntStream.range(0, 12)
                .mapToObj(id -> new Model(id, "m" + id, 5 + random.nextInt(40) + random.nextDouble()))
                .toList();
        List<Integer> pinned = new ArrayList<>();
        for (int step = 0; step < 2000; step++) {
            Model model = models.get(random.nextInt(models.size()));
            List<List<Model>> upcoming = random.ints(random.nextInt(6), 0, models.size())
                    .mapToObj(id -> List.of(models.get(id)))
                    .toList();
            if (!cache.holds(model.id())) {
                if (cache.makeRoom(model.kb(), List.of(), upcoming).isPresent()) {
                    cache.add(model);
                }
            } else if (pinned.contains(model.id()) && random.nextBoolean()) {
                cache.unpin(model.id());
                pinned.remove((Integer) model.id());
            } else if (pinned.size() < 3) {
                cache.pin(model.id());
                pinned.add(model.id());
            }
            double taken = cache.models().stream().mapToDouble(Model::kb).sum();
            assertEquals(cache.capacityKb() - taken, cache.freeKb(), 1e-9);
            assertTrue(cache.freeKb() >= 0);
            assertTrue(pinned.stream().allMatch(cache::holds));
            assertEquals(cache.models().size(), cache.ids().cardinality());
        }
        assertFalse(cache.models().isEmpty());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class PrefetcherTest {
    private static final Model A = new Model(0, "a", 50);
    private static final Model B = new Model(1, "b", 30);
    private static final Model C = new Model(2, "c", 60);

    private static GpuModelCache holding(Model... models) {
        GpuModelCache cache = new GpuModelCache(100, Eviction.LOOK_AHEAD);
        List.of(models).forEach(cache::add);
        return cache;
    }

    @Test
    void takesTheFirstThatIsMissingAmongTheNextTasks() {
        assertEquals(
                List.of(B),
                Prefetcher.USUAL.choose(List.of(List.of(A), List.of(), List.of(B), List.of(C)), holding(A)));
        assertEquals(
                List.of(), Prefetcher.USUAL.choose(List.of(List.of(A), List.of(), List.of(A), List.of(B)), holding(A)));
    }

    @Test
    void stopsAtTheFirstThatHasNoRoomWithoutOthersGoing() {
        assertEquals(List.of(), Prefetcher.USUAL.choose(List.of(List.of(C), List.of(B)), holding(A)));
    }

    @Test
    void severalShareWhatIsFree() {
        Prefetcher two = new Prefetcher(3, 2);
        assertEquals(List.of(A, B), two.choose(List.of(List.of(A, B), List.of(A)), holding()));
        assertEquals(List.of(A), two.choose(List.of(List.of(A), List.of(A), List.of(C)), holding()));
        assertEquals(List.of(), Prefetcher.NONE.choose(List.of(List.of(A)), holding()));
        assertThrows(IllegalArgumentException.class, () -> new Prefetcher(-1, 1));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.yarn.GrantedContainer;
import io.treadle.core.wire.DataReport;
import io.treadle.core.wire.MemoryLimit;
import io.treadle.core.wire.MemoryRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryDeskTest {
    private static final long MIB = 1 << 20;

    private final Member a = member("a");
    private final Member b = member("b");

    private static Member member(String id) {
        return new Member(new GrantedContainer(id, "host", "host:8042", 1, 4, 2048, 1), 0);
    }

    private void wanted(double nowSeconds, Map<String, MemoryLimit> containers) {
        MemoryDesk.wanted(List.of(a, b), new MemoryRecord(containers), nowSeconds);
    }

    private static Optional<DataReport> data(long cachedMiB, long workingMiB, long memoryVersion) {
        return Optional.of(new DataReport(
                4096 * MIB, 100, cachedMiB * MIB, workingMiB, OptionalDouble.empty(), 0, 0, 0, memoryVersion));
    }

    @Test
    void onlyWhatIsNewerIsPassedOn() {
        assertEquals(Optional.empty(), MemoryDesk.limit(a));
        wanted(5, Map.of("a", new MemoryLimit(7, 1024)));
        assertEquals(Optional.of(new MemoryLimit(7, 1024)), MemoryDesk.limit(a));
        assertEquals(Optional.empty(), MemoryDesk.limit(b));
        for (long old : new long[] {6, 7}) {
            wanted(9, Map.of("a", new MemoryLimit(old, 512)));
            assertEquals(Optional.of(new MemoryLimit(7, 1024)), MemoryDesk.limit(a));
            assertEquals(5, a.memoryWantedSeconds);
        }
        wanted(9, Map.of("a", new MemoryLimit(8, 512)));
        assertEquals(Optional.of(new MemoryLimit(8, 512)), MemoryDesk.limit(a));
        assertEquals(9, a.memoryWantedSeconds);
    }

    @Test
    void whoIsNamedNoMoreHasNoLimit() {
        wanted(5, Map.of("a", new MemoryLimit(7, 1024)));
        for (int i = 0; i < 2; i++) {
            wanted(9, Map.of());
            assertEquals(Optional.of(new MemoryLimit(8, 0)), MemoryDesk.limit(a), "said once");
            assertEquals(Optional.empty(), MemoryDesk.limit(b), "nothing was asked of it");
        }
        a.data = data(0, 0, 8);
        assertFalse(MemoryDesk.hasAnswered(a), "there is nothing to answer");
        wanted(20, Map.of("a", new MemoryLimit(9, 256)));
        assertEquals(Optional.of(new MemoryLimit(9, 256)), MemoryDesk.limit(a));
    }

    @Test
    void thoseAnswerWhoseCachesKeepToIt() {
        wanted(5, Map.of("a", new MemoryLimit(7, 1024), "b", new MemoryLimit(7, 1024)));
        assertEquals(Map.of(), MemoryDesk.given(List.of(a, b)).containers());
        a.data = data(700, 256, 7);
        b.data = data(700, 256, 6);
        assertTrue(MemoryDesk.hasAnswered(a));
        // 700 and 256 are 956: it can do with what is wanted.
        assertEquals(
                Map.of("a", new MemoryLimit(7, 1024)),
                MemoryDesk.given(List.of(a, b)).containers());
        b.data = data(900, 256, 7);
        // 1156, in steps of 16.
        assertEquals(
                Map.of("a", new MemoryLimit(7, 1024), "b", new MemoryLimit(7, 1168)),
                MemoryDesk.given(List.of(a, b)).containers());
    }

    /** Beside the cache the most of what it says, of what is resident and 32, and of that and a tenth; in steps of 16. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 32",
        "100, 50, 200, 336", // 232 of 200, 232 and 220: 332
        "100, 50, 500, 656", // 532 and 550: 650
        "100, 700, 500, 800", // exactly
        "101, 700, 500, 816"
    })
    void needsItsCacheAndWhatItWorksIn(long cachedMiB, long workingMiB, long residentMiB, long needed) {
        assertEquals(0, MemoryDesk.neededMiB(a), "nobody knows");
        a.data = data(cachedMiB, workingMiB, 0);
        a.residentMiB = residentMiB;
        assertEquals(needed, MemoryDesk.neededMiB(a));
    }

    @Test
    void ofItsCacheCountsWhatIsFilled() {
        assertEquals(2048, MemoryDesk.usedMiB(a), "it says nothing of what it reads");
        a.data = data(700, 256, 0);
        assertEquals(956, MemoryDesk.usedMiB(a));
        a.data = data(2000, 256, 0);
        assertEquals(2048, MemoryDesk.usedMiB(a), "no more than it has");
    }
}

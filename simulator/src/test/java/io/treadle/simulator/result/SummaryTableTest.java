// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SummaryTableTest {
    private static Summary summary(String policy, long migrations, double lostGpuSeconds, @Nullable Double misses) {
        return new Summary(
                policy,
                1000,
                60.0,
                60.0,
                60.0,
                60.0,
                60.0,
                0.0,
                0.5,
                0,
                null,
                3,
                migrations,
                9,
                0.1,
                10,
                0,
                lostGpuSeconds,
                0.5,
                misses,
                1.0,
                1.0,
                null,
                List.of(),
                null);
    }

    private static String words(List<Summary> summaries) {
        return SummaryTable.of(summaries).replaceAll(" +", " ");
    }

    @Test
    void leavesOutColumnsInWhichNobodyHasAnythingToTell() {
        assertEquals(
                "policy jobs mean JCT p50 p95 p99 mean wait makespan GPU use stops took\n"
                        + "fifo 1,000 60.0 s 60.0 s 60.0 s 60.0 s 0.0 s 60.0 s 50.0 % 3 0.1 s\n",
                words(List.of(summary("fifo", 0, 0, null))));
    }

    @Test
    void showsThemForAllWhereOneHas() {
        assertEquals(
                "policy jobs mean JCT p50 p95 p99 mean wait makespan GPU use too late stops moves lost GPU-h took\n"
                        + "fifo 1,000 60.0 s 60.0 s 60.0 s 60.0 s 0.0 s 60.0 s 50.0 % 25.0 % 3 0 0.0 0.1 s\n"
                        + "las 1,000 60.0 s 60.0 s 60.0 s 60.0 s 0.0 s 60.0 s 50.0 % 0.0 % 3 7 2.0 0.1 s\n",
                words(List.of(summary("fifo", 0, 0, 0.25), summary("las", 7, 7200, 0.0))));
    }
}

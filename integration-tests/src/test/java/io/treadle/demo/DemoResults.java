// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Results for tests of the writers. */
final class DemoResults {
    private DemoResults() {}

    static DemoResult twoPolicies() {
        return new DemoResult(
                "3.5.0",
                42,
                0.03,
                List.of(new DemoResult.Node(
                        "n1",
                        Map.of("memory-mb", 8192L, "vcores", 16L),
                        List.of(new DemoResult.Device("GPU-1", "A100", 40960, true)))),
                List.of("srtf+synergy-tune", "fifo+proportional"),
                List.of(
                        job("a <b>", "srtf+synergy-tune", 40),
                        job("c", "srtf+synergy-tune", 60),
                        job("a <b>", "fifo+proportional", 100),
                        job("c", "fifo+proportional", 60)),
                OptionalDouble.empty());
    }

    static DemoResult.Job job(String name, String policy, double jctSeconds) {
        return new DemoResult.Job(
                "application_1_0001",
                name,
                "root.x",
                policy,
                "SUCCEEDED",
                "2/2",
                1000,
                3,
                jctSeconds,
                9,
                300,
                0,
                List.of(new DemoResult.Point(4, 80), new DemoResult.Point(1, 20)),
                List.of(new DemoResult.Resize("container_1", 12.3456, 3, 8, "scheduler", 60, 160)),
                List.of(new DemoResult.Span(5, 40, 6, 2, List.of("n1", "n2"))));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.core.wire.NodeRecord;
import java.util.List;

final class TestRecords {
    private TestRecords() {}

    static NodeRecord node(double watts, NodeRecord.Health health, String... containers) {
        return new NodeRecord(
                "localhost:45454",
                1,
                List.of(new NodeRecord.Device(
                        "GPU-sim-1",
                        0,
                        "A100",
                        40960,
                        true,
                        health,
                        watts,
                        400,
                        50,
                        1024,
                        40,
                        7,
                        List.of(containers))));
    }
}

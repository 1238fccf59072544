// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.core.wire.DevicePower;
import io.treadle.core.wire.NodePower;
import io.treadle.core.wire.NodeRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    static NodeRecord capped(double effectiveWatts, double wantedWatts, String trouble) {
        NodeRecord node = node(100, NodeRecord.Health.OK, "c1");
        NodeRecord.Device d = node.devices().get(0);
        return new NodeRecord(
                node.node(),
                node.updatedMs(),
                List.of(new NodeRecord.Device(
                        d.uuid(),
                        d.index(),
                        d.model(),
                        d.memoryMiB(),
                        d.simulated(),
                        d.health(),
                        d.watts(),
                        d.capWatts(),
                        d.utilizationPercent(),
                        d.memoryUsedMiB(),
                        d.temperatureCelsius(),
                        d.energyMillijoules(),
                        d.containers(),
                        Optional.of(new DevicePower(1095, List.of(), effectiveWatts, wantedWatts, "nvml", trouble)))),
                Optional.of(new NodePower(812.5, "rapl", 7, 60, 10, Map.of("c1", 45L), 5)));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.core.wire.DevicePower;
import io.treadle.core.wire.NodePower;
import io.treadle.core.wire.NodeRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Records as nodes write them. */
final class Records {
    static final String ADA = "application_1700000000000_0001";
    static final String BOB = "application_1700000000000_0002";
    static final String GONE = "application_1700000000000_0009";
    static final Map<String, Owner> OWNERS = Map.of(
            ADA, new Owner(ADA, "ada", "root.ml.a"),
            BOB, new Owner(BOB, "bob", "root.ml.b"));

    private Records() {}

    static String container(String application, int number) {
        return application.replace("application", "container") + String.format("_01_%06d", number);
    }

    static Owners owners() {
        return application -> Optional.ofNullable(OWNERS.get(application));
    }

    /** @param containers mJ */
    static NodePower counters(long gpus, long idle, Map<String, Long> containers, long ended) {
        return new NodePower(0, "model", 0, gpus, idle, containers, ended);
    }

    /** @param nodeWatts of the node with its devices */
    static NodeRecord node(double nodeWatts, NodeRecord.Device... devices) {
        return new NodeRecord(
                "n1:1", 1, List.of(devices), Optional.of(new NodePower(nodeWatts, "model", 0, 0, 0, Map.of(), 0)));
    }

    static NodeRecord.Device gpu(int index, double watts, double limit, String... containers) {
        return new NodeRecord.Device(
                "GPU-" + index,
                index,
                "A100",
                40960,
                false,
                NodeRecord.Health.OK,
                watts,
                limit,
                0,
                0,
                30,
                0,
                List.of(containers),
                Optional.of(new DevicePower(1410, List.of(), limit, 0, "nvml", "")));
    }
}

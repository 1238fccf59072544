// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.simulator.energy.ClusterPower;
import io.treadle.simulator.input.YamlValue;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/** What our own form says of power. */
final class PowerFields {
    private static final String NODE = "nodeWatts";
    private static final String IDLE = "idleGpuWatts";
    private static final String GPU = "gpuWatts";
    private static final String LEAST_CAP = "leastCapWatts";
    private static final String CAP_STEP = "capStepWatts";

    private PowerFields() {}

    /** @throws io.treadle.simulator.input.InputException if a value is none that nodes or GPUs draw, or contradicts another */
    static ClusterPower read(YamlValue power) {
        Map<String, YamlValue> fields = power.fields(Set.of(NODE, IDLE, GPU, LEAST_CAP, CAP_STEP));
        try {
            return ClusterPower.of(
                    watts(fields, NODE).orElse(ClusterPower.A100.nodeWatts()),
                    watts(fields, IDLE).orElse(ClusterPower.A100.idleGpuWatts()),
                    watts(fields, GPU).orElse(ClusterPower.A100.gpuWatts()),
                    watts(fields, LEAST_CAP),
                    watts(fields, CAP_STEP));
        } catch (IllegalArgumentException e) {
            throw power.contradicts(String.valueOf(e.getMessage()), e);
        }
    }

    private static OptionalDouble watts(Map<String, YamlValue> fields, String name) {
        YamlValue value = fields.get(name);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value.whole(0, ClusterPower.MOST_WATTS));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Clocks and caps of one device in its node's record (spec: {@code docs/spec/node-record.md}).
 *
 * @param smMegahertz clock of the multiprocessors, MHz; 0 where it cannot be read
 * @param throttle what holds the clocks down just now, in words; empty where nothing does or nobody knows
 * @param effectiveCapWatts limit that is enforced, read back from the device, W; 0 where it cannot be read
 * @param wantedCapWatts what the scheduler wants, after clamping to what the device can do, W; 0 where it wants nothing
 * @param actuator what sets caps on it: {@code nvml}, {@code observe} and so on; empty where nothing does
 * @param trouble why the wanted cap is not in force; empty where it is
 * @param leastCapWatts the least cap that it takes, W; 0 where nobody knows
 * @param ownCapWatts the administrator's own limit, which is the highest cap, W; 0 where nobody knows
 */
public record DevicePower(
        int smMegahertz,
        List<String> throttle,
        double effectiveCapWatts,
        double wantedCapWatts,
        String actuator,
        String trouble,
        double leastCapWatts,
        double ownCapWatts) {
    public DevicePower {
        throttle = List.copyOf(throttle);
    }

    /** Of a device whose range of caps nobody knows. */
    public DevicePower(
            int smMegahertz,
            List<String> throttle,
            double effectiveCapWatts,
            double wantedCapWatts,
            String actuator,
            String trouble) {
        this(smMegahertz, throttle, effectiveCapWatts, wantedCapWatts, actuator, trouble, 0, 0);
    }

    void writeTo(ObjectNode json) {
        json.put("smMegahertz", smMegahertz);
        ArrayNode reasons = json.putArray("throttle");
        throttle.forEach(reasons::add);
        json.put("effectiveCapWatts", effectiveCapWatts)
                .put("wantedCapWatts", wantedCapWatts)
                .put("actuator", actuator)
                .put("trouble", trouble)
                .put("leastCapWatts", leastCapWatts)
                .put("ownCapWatts", ownCapWatts);
    }

    static DevicePower from(Fields json) {
        return new DevicePower(
                (int) json.integer("smMegahertz", 0, 1_000_000, 0),
                json.texts("throttle"),
                json.number("effectiveCapWatts", 0, 1e6, 0),
                json.number("wantedCapWatts", 0, 1e6, 0),
                json.optionalText("actuator").orElse(""),
                json.optionalText("trouble").orElse(""),
                json.number("leastCapWatts", 0, 1e6, 0),
                json.number("ownCapWatts", 0, 1e6, 0));
    }
}

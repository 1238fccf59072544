// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.nm.device.DeviceReading;
import java.util.HashMap;
import java.util.Map;

/**
 * What each GPU draws when it does nothing: the least that it was seen to draw. One that has been busy since the NodeManager
 * started was never seen idle, so it is no more than a share of its limit.
 */
final class IdleDraw {
    /** Of an A100 of 400 W it is an eighth to a fifth, with a process on it or none. */
    private static final double MOST_OF_LIMIT = 0.25;

    private final Map<String, Double> least = new HashMap<>();
    private final Map<String, Double> highestLimit = new HashMap<>();

    /** Takes note of a reading; a draw of 0 is one that could not be read. */
    void saw(String uuid, DeviceReading reading) {
        if (reading.watts() > 0) {
            least.merge(uuid, reading.watts(), Math::min);
        }
        if (reading.capWatts() > 0) {
            highestLimit.merge(uuid, reading.capWatts(), Math::max);
        }
    }

    /** W; 0 where it was never seen to draw anything. */
    double watts(String uuid) {
        double limit = highestLimit.getOrDefault(uuid, Double.POSITIVE_INFINITY);
        return Math.min(least.getOrDefault(uuid, 0.0), MOST_OF_LIMIT * limit);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import java.util.Map;
import java.util.OptionalDouble;

/** What hosts draw at most, W. */
public interface HostPeaks {
    /** Of a host that is on; empty where it has not said. */
    OptionalDouble peakWatts(String host);

    /** Hosts that are there for the asking, with what they draw at most when they are on, W. */
    void asleep(Map<String, Double> peaks);
}

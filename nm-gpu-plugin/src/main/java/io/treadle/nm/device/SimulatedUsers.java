// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The containers of one simulated device, and how much of its activity is whose. */
final class SimulatedUsers {
    private final Map<String, Long> sinceMs = new HashMap<>();

    /**
     * @param activity of the device, 0 to 1; it is divided by how busy each container would be alone
     * @param nowMs ms; a container that was not there at the last call begins now
     */
    List<ProcessUse> share(List<String> containers, double activity, long nowMs) {
        sinceMs.keySet().retainAll(containers);
        Map<String, Double> alone = new HashMap<>();
        for (String container : containers) {
            double seconds = Math.max(0, nowMs - sinceMs.computeIfAbsent(container, c -> nowMs)) / 1000.0;
            alone.put(container, 1 - Math.exp(-seconds / SimulatedDraw.SETTLING_SECONDS));
        }
        double all = alone.values().stream().mapToDouble(a -> a).sum();
        List<ProcessUse> uses = new ArrayList<>();
        alone.forEach((container, busy) -> {
            if (busy > 0 && activity > 0) {
                uses.add(new ProcessUse(0, nowMs, 100 * activity * busy / all, container));
            }
        });
        return uses;
    }
}

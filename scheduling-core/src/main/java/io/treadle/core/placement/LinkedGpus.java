// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.placement;

import io.treadle.core.cluster.DeviceView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which of a node's free GPUs a task gets so that as many of them as can be reach each other over one link: those of the
 * link that has the fewest free of those that have enough; where none has, all of the link that has most, and so on for
 * the rest. Devices of equal standing come in the node's order.
 */
final class LinkedGpus {
    private LinkedGpus() {}

    /**
     * @param free places of the free devices on the node, in its order
     * @param wanted at most as many as are free
     * @return so many of them
     */
    static List<Integer> choose(List<DeviceView> devices, List<Integer> free, int wanted) {
        if (wanted == free.size() || isOneLink(devices, free)) {
            return free.subList(0, wanted);
        }
        Map<String, List<Integer>> byLink = new LinkedHashMap<>();
        for (int device : free) {
            byLink.computeIfAbsent(devices.get(device).link(), link -> new ArrayList<>())
                    .add(device);
        }
        List<List<Integer>> left = new ArrayList<>(byLink.values());
        List<Integer> chosen = new ArrayList<>(wanted);
        while (chosen.size() < wanted) {
            int missing = wanted - chosen.size();
            List<Integer> next = left.stream()
                    .filter(group -> group.size() >= missing)
                    .min(Comparator.comparingInt(List::size))
                    .orElseGet(() -> left.stream()
                            .max(Comparator.comparingInt(List::size))
                            .orElseThrow());
            left.remove(next);
            chosen.addAll(next.subList(0, Math.min(missing, next.size())));
        }
        return chosen;
    }

    private static boolean isOneLink(List<DeviceView> devices, List<Integer> free) {
        String first = free.isEmpty() ? "" : devices.get(free.get(0)).link();
        for (int device : free) {
            if (!devices.get(device).link().equals(first)) {
                return false;
            }
        }
        return true;
    }
}

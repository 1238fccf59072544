// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.device.PowerLimitException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actuators of a node in the order in which they are tried, and which one serves each GPU: boards of one node may
 * differ in what their drivers let be set. The last one only observes, and never refuses.
 */
final class ActuatorChain implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ActuatorChain.class);

    private final List<GpuPowerActuator> order;
    private final Map<String, Integer> places = new HashMap<>();
    private final Map<String, String> refusals = new LinkedHashMap<>();
    private String said = "";

    /** @param order at least one, of which the last observes */
    ActuatorChain(List<GpuPowerActuator> order) {
        this.order = List.copyOf(order);
    }

    /** The actuator of the device; the last where none has been found for it yet. */
    GpuPowerActuator of(GpuDevice device) {
        return order.get(places.getOrDefault(device.uuid(), order.size() - 1));
    }

    boolean sets(GpuDevice device) {
        return places.getOrDefault(device.uuid(), order.size() - 1) < order.size() - 1;
    }

    /** False where the settings leave nothing but observing. */
    boolean canSetAny() {
        return order.size() > 1;
    }

    /**
     * Finds the first actuator that may set the device's limit, without changing it.
     *
     * @throws PowerLimitException if the device does not answer at all
     */
    void choose(GpuDevice device) throws PowerLimitException {
        from(0, device);
    }

    /**
     * Goes on to the next actuator that may.
     *
     * @throws PowerLimitException if the device does not answer any more
     */
    void giveUp(GpuDevice device, PowerLimitException why) throws PowerLimitException {
        int place = places.getOrDefault(device.uuid(), order.size() - 1);
        refusals.put(order.get(place).name(), String.valueOf(why.getMessage()));
        from(Math.min(place + 1, order.size() - 1), device);
    }

    private void from(int first, GpuDevice device) throws PowerLimitException {
        for (int place = first; place < order.size(); place++) {
            GpuPowerActuator actuator = order.get(place);
            try {
                actuator.probe(device);
                places.put(device.uuid(), place);
                return;
            } catch (PowerLimitException e) {
                if (e.reason() == PowerLimitException.Reason.LOST) {
                    throw e;
                }
                refusals.put(actuator.name(), String.valueOf(e.getMessage()));
            }
        }
    }

    /** One line of who sets the limits of which GPUs, and why others do not; said once for each change. */
    void tell() {
        Map<String, List<String>> served = new LinkedHashMap<>();
        order.forEach(actuator -> {
            List<String> uuids = places.entrySet().stream()
                    .filter(e -> order.get(e.getValue()) == actuator)
                    .map(Map.Entry::getKey)
                    .sorted()
                    .toList();
            if (!uuids.isEmpty()) {
                served.put(actuator.name(), uuids);
            }
        });
        String line = served + (refusals.isEmpty() ? "" : "; refused: " + oneLine(refusals));
        if (!line.equals(said)) {
            said = line;
            LOG.info("power limits would be set by {}", line);
        }
    }

    private static String oneLine(Map<String, String> refusals) {
        return refusals.entrySet().stream()
                .map(e -> e.getKey() + ": " + e.getValue().replaceAll("\\s+", " "))
                .collect(Collectors.joining("; "));
    }

    /** Why each actuator was refused that was, by its name. */
    Map<String, String> refusals() {
        return Map.copyOf(refusals);
    }

    @Override
    public void close() {
        order.forEach(GpuPowerActuator::close);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.DeviceProviderException;
import io.treadle.nm.device.ProcessUse;
import io.treadle.nm.isolation.ContainerProcesses;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Who has used the GPUs that several containers share. */
final class SharedUse {
    private static final double WEIGHT_PER_PERCENT = 1_000;
    /** Drivers take samples when they like: for so long the last ones count where there are no newer, ms. */
    private static final long LATE_MS = 5_000;

    private record Known(Map<String, Long> weights, long atMs) {}

    private final DeviceProvider provider;
    private final ContainerProcesses processes;
    private final InstantSource clock;
    /** By UUID, who was last seen to use it. */
    private final Map<String, Known> last = new HashMap<>();

    SharedUse(DeviceProvider provider, ContainerProcesses processes, InstantSource clock) {
        this.provider = provider;
        this.processes = processes;
        this.clock = clock;
    }

    /**
     * @param holders ids of the containers of each shared GPU, by its UUID
     * @return for each GPU whose use can be told: weights by container, and of {@link ContainerProcesses#NOBODY}; without
     *     any where nobody has used it
     */
    Map<String, Map<String, Long>> since(Map<String, List<String>> holders) {
        if (holders.isEmpty()) {
            return Map.of();
        }
        Map<String, List<ProcessUse>> uses;
        try {
            uses = provider.processes(holders);
        } catch (DeviceProviderException e) {
            // That it does not answer is said by who reads the devices.
            return Map.of();
        }
        Map<String, Map<String, Long>> weights = new HashMap<>();
        uses.forEach((uuid, all) -> {
            Map<String, Long> known = new HashMap<>();
            ContainerProcesses.Holders containers = processes.holders(holders.getOrDefault(uuid, List.of()));
            for (ProcessUse use : all) {
                owner(use, containers)
                        .ifPresent(c -> known.merge(c, Math.round(use.percent() * WEIGHT_PER_PERCENT), Long::sum));
            }
            // Where processes have other ids than the driver says, or are hidden from this user, nobody can tell.
            if (!known.isEmpty()) {
                last.put(uuid, new Known(known, clock.millis()));
            }
            if (all.isEmpty() || !known.isEmpty()) {
                weights.put(uuid, known.isEmpty() ? lately(uuid, containers.ids()) : known);
            }
        });
        last.keySet().retainAll(holders.keySet());
        return weights;
    }

    private Map<String, Long> lately(String uuid, Set<String> containers) {
        Known known = last.get(uuid);
        if (known == null || Math.abs(clock.millis() - known.atMs()) > LATE_MS) {
            return Map.of();
        }
        Map<String, Long> weights = new HashMap<>(known.weights());
        weights.keySet().removeIf(id -> !containers.contains(id) && !id.equals(ContainerProcesses.NOBODY));
        return weights;
    }

    private Optional<String> owner(ProcessUse use, ContainerProcesses.Holders containers) {
        return use.container().isEmpty()
                ? processes.containerOf(use.pid(), use.sampledMs(), containers)
                : Optional.of(use.container());
    }
}

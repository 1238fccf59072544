// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.DeviceProviderException;
import io.treadle.nm.device.ProcessUse;
import io.treadle.nm.isolation.ContainerProcesses;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Who has used the GPUs that several containers share. */
final class SharedUse {
    private static final double WEIGHT_PER_PERCENT = 1_000;

    private final DeviceProvider provider;
    private final ContainerProcesses processes;

    SharedUse(DeviceProvider provider, ContainerProcesses processes) {
        this.provider = provider;
        this.processes = processes;
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
            Set<String> containers = Set.copyOf(holders.getOrDefault(uuid, List.of()));
            for (ProcessUse use : all) {
                owner(use, containers)
                        .ifPresent(c -> known.merge(c, Math.round(use.percent() * WEIGHT_PER_PERCENT), Long::sum));
            }
            // Where processes have other ids than the driver says, or are hidden from this user, nobody can tell.
            if (all.isEmpty() || !known.isEmpty()) {
                weights.put(uuid, known);
            }
        });
        return weights;
    }

    private Optional<String> owner(ProcessUse use, Set<String> containers) {
        return use.container().isEmpty()
                ? processes.containerOf(use.pid(), use.sampledMs(), containers)
                : Optional.of(use.container());
    }
}

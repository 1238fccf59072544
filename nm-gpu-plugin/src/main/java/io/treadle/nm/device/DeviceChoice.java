// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import io.treadle.core.wire.DeviceTag;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The node's own best fit, for containers whose token names no devices. Whole devices come from one model where that
 * goes, from the model with the fewest free ones; a slice goes where it leaves the least. When nothing is free, the
 * devices of dying containers come first: the ResourceManager counts them as free already.
 */
final class DeviceChoice {
    private final Collection<Shelf> shelves;
    private final Set<String> dying;

    DeviceChoice(Collection<Shelf> shelves, Set<String> dying) {
        this.shelves = shelves;
        this.dying = dying;
    }

    /** May name fewer devices than were asked for: then the node has no more that work. */
    List<DeviceTag> choose(String container, int gpus, long sliceMiB) {
        if (gpus > 0) {
            return wholes(container, gpus);
        }
        return sliceMiB > 0 ? slice(container, sliceMiB) : List.of();
    }

    private List<DeviceTag> wholes(String container, int gpus) {
        Map<String, List<Shelf>> freeByModel = new LinkedHashMap<>();
        List<Shelf> free = new ArrayList<>();
        for (Shelf shelf : usable(container)) {
            if (shelf.isUnclaimed()) {
                free.add(shelf);
                freeByModel
                        .computeIfAbsent(shelf.device.model(), m -> new ArrayList<>())
                        .add(shelf);
            }
        }
        List<Shelf> chosen = new ArrayList<>(freeByModel.values().stream()
                .filter(group -> group.size() >= gpus)
                .min(Comparator.comparingInt(List::size))
                .orElse(free));
        if (chosen.size() < gpus) {
            usable(container).stream()
                    .filter(s -> !s.isUnclaimed())
                    .sorted(soonestFirst())
                    .forEach(chosen::add);
        }
        return chosen.stream()
                .limit(gpus)
                .map(s -> DeviceTag.whole(s.device.uuid()))
                .toList();
    }

    private List<DeviceTag> slice(String container, long sliceMiB) {
        return usable(container).stream()
                .filter(s -> s.freeMiB() >= sliceMiB)
                .min(Comparator.comparingLong(Shelf::freeMiB))
                .or(() -> usable(container).stream()
                        .filter(s -> s.device.memoryMiB() >= sliceMiB)
                        .min(soonestFirst()))
                .map(s -> List.of(DeviceTag.slice(s.device.uuid(), sliceMiB)))
                .orElse(List.of());
    }

    private List<Shelf> usable(String container) {
        return shelves.stream()
                .filter(s -> !s.lost && s.claimOf(container).isEmpty())
                .toList();
    }

    private Comparator<Shelf> soonestFirst() {
        return Comparator.<Shelf>comparingLong(s -> s.claims().stream()
                        .filter(c -> !dying.contains(c.container))
                        .count())
                .thenComparingInt(s -> s.claims().size());
    }
}

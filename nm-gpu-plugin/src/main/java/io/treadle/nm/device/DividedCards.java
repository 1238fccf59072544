// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cards that were whole when the NodeManager started and that MIG divides now: such a card runs nothing as a whole, so it
 * counts as lost until MIG is disabled again. Each is logged once. Used by one thread.
 */
public final class DividedCards {
    private static final Logger LOG = LoggerFactory.getLogger(DividedCards.class);

    private final Set<String> divided = new HashSet<>();

    /** Takes note of a card whose mode the driver has told. */
    public void look(GpuDevice card, boolean migEnabled) {
        if (!migEnabled) {
            divided.remove(card.uuid());
        } else if (divided.add(card.uuid())) {
            LOG.warn(
                    "GPU {} ({}) is lost: MIG was enabled on it after the NodeManager had started.\nMaybe disable MIG, or"
                            + " restart the NodeManager, which then takes its instances for devices",
                    card.index(),
                    card.uuid());
        }
    }

    /** Whether the card was divided when it was looked at last. */
    public boolean isLost(GpuDevice card) {
        return divided.contains(card.uuid());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * What a MIG instance shares with the other instances of its card. The card meters draw and energy for all of them: these
 * are split by the instances' memory. Power limits belong to the card.
 *
 * @param card UUID of the card
 * @param share of the memory of all its instances, 0 to 1
 */
public record MigShare(String card, double share) {
    /** Shares of a card's instances that do not change while they are there, so that energy never goes back. */
    public static Map<String, MigShare> of(String card, List<GpuDevice> instances) {
        double total = instances.stream().mapToLong(GpuDevice::memoryMiB).sum();
        return instances.stream()
                .collect(Collectors.toMap(GpuDevice::uuid, i -> new MigShare(card, i.memoryMiB() / total)));
    }

    /**
     * The instance's reading. How busy it is nobody tells: 0.
     *
     * @param whole the card's
     * @param memoryUsedMiB the instance's; empty where it does not answer any more
     */
    public DeviceReading reading(DeviceReading whole, OptionalLong memoryUsedMiB) {
        if (whole.lost() || memoryUsedMiB.isEmpty()) {
            return DeviceReading.LOST;
        }
        return new DeviceReading(
                false,
                whole.watts() * share,
                whole.capWatts() * share,
                0,
                memoryUsedMiB.getAsLong(),
                whole.temperatureCelsius(),
                whole.energyMillijoules() == DeviceReading.NO_COUNTER
                        ? DeviceReading.NO_COUNTER
                        : Math.round(whole.energyMillijoules() * share),
                whole.smMegahertz(),
                whole.throttle(),
                whole.effectiveCapWatts() * share);
    }

    /** Why the instance has no limits of its own. */
    public PowerLimitException noLimits() {
        return new PowerLimitException(
                PowerLimitException.Reason.NOT_SUPPORTED, "a MIG instance shares the power limit of its card " + card);
    }

    /** For people: what becomes of a card that MIG divides. */
    public static String remark(int index, int instances) {
        return instances == 0
                ? "GPU " + index + " is no device: MIG is enabled on it, and it has no instances.\nMaybe make some"
                        + " ('nvidia-smi mig -cgi … -C') or disable MIG, then restart the NodeManager"
                : "GPU " + index + " is no device of its own: MIG divides it into " + instances
                        + " instances, which are. Their draw and energy are the card's, split by memory; nobody tells how busy they"
                        + " are; the power limit belongs to the card and is not set";
    }
}

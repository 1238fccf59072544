// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The claims on one device, in the order in which they came. A claim is held while it fits beside those that were held
 * before it, else it waits. Whole claims stand alone; slices never exceed the device's memory together.
 */
final class Shelf {
    /** One container's claim. */
    static final class Claim {
        final String container;
        final boolean whole;
        long memoryMiB;
        boolean held;

        Claim(String container, boolean whole, long memoryMiB) {
            this.container = container;
            this.whole = whole;
            this.memoryMiB = memoryMiB;
        }
    }

    final GpuDevice device;
    boolean lost;
    private final List<Claim> claims = new ArrayList<>();

    Shelf(GpuDevice device) {
        this.device = device;
    }

    boolean isUnclaimed() {
        return claims.isEmpty();
    }

    List<Claim> claims() {
        return claims;
    }

    Optional<Claim> claimOf(String container) {
        return claims.stream().filter(c -> c.container.equals(container)).findFirst();
    }

    /** Memory that a further slice may take now, MiB; 0 where anything waits or the device is held whole. */
    long freeMiB() {
        if (lost || claims.stream().anyMatch(c -> c.whole || !c.held)) {
            return 0;
        }
        return device.memoryMiB() - heldMiB();
    }

    long heldMiB() {
        return claims.stream().filter(c -> c.held).mapToLong(c -> c.memoryMiB).sum();
    }

    void add(String container, boolean whole, long memoryMiB) {
        claims.add(new Claim(container, whole, whole ? device.memoryMiB() : memoryMiB));
        settle();
    }

    /** A claim from before a restart: its process may be using the device already, so it goes before all that wait. */
    void restore(String container, boolean whole, long memoryMiB) {
        Claim claim = new Claim(container, whole, whole ? device.memoryMiB() : memoryMiB);
        claim.held = fits(claim);
        claims.add(claim);
        settle();
    }

    /** True if the container had a claim here. */
    boolean remove(String container) {
        boolean removed = claims.removeIf(c -> c.container.equals(container));
        settle();
        return removed;
    }

    /** Sets a slice's size where that fits now; a slice that waits takes any size that the device can ever hold. */
    boolean resize(Claim claim, long memoryMiB) {
        long others = heldMiB() - (claim.held ? claim.memoryMiB : 0);
        boolean fits = memoryMiB <= device.memoryMiB() - (claim.held ? others : 0);
        if (fits) {
            claim.memoryMiB = memoryMiB;
            settle();
        }
        return fits;
    }

    /** Lets waiting claims in, in their order; a lost device lets none in. */
    void settle() {
        for (Claim claim : claims) {
            if (!claim.held) {
                if (lost || !fits(claim)) {
                    return;
                }
                claim.held = true;
            }
        }
    }

    private boolean fits(Claim claim) {
        List<Claim> held = claims.stream().filter(c -> c.held).toList();
        return claim.whole
                ? held.isEmpty()
                : held.stream().noneMatch(c -> c.whole) && claim.memoryMiB <= device.memoryMiB() - heldMiB();
    }
}

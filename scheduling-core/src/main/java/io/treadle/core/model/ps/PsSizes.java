// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.ps;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Sizes that a job may have.
 *
 * @param without sizes within the bounds that it may not have after all
 */
public record PsSizes(PsSize least, PsSize most, Set<PsSize> without) {
    public static final PsSizes ALL =
            new PsSizes(new PsSize(1, 1), new PsSize(Integer.MAX_VALUE, Integer.MAX_VALUE), Set.of());

    public PsSizes {
        without = Set.copyOf(without);
    }

    /** Whether there is more than one. */
    public boolean scale() {
        return !least.equals(most);
    }

    public boolean allow(PsSize size) {
        return size.workers() >= least.workers()
                && size.workers() <= most.workers()
                && size.servers() >= least.servers()
                && size.servers() <= most.servers()
                && !without.contains(size);
    }

    /** The same without those, of all that are ever asked for, that it may not have. */
    public PsSizes without(Predicate<PsSize> forbidden) {
        Set<PsSize> gone = new HashSet<>(without);
        Stream.concat(PsFit.PROBES.stream(), first(PsFit.CANDIDATES).stream())
                .filter(forbidden)
                .forEach(gone::add);
        return new PsSizes(least, most, gone);
    }

    /** The smallest, so many of each number, by rising workers and then servers. */
    List<PsSize> first(int count) {
        List<PsSize> sizes = new ArrayList<>();
        for (int w = 0; w < count && w <= most.workers() - least.workers(); w++) {
            for (int p = 0; p < count && p <= most.servers() - least.servers(); p++) {
                sizes.add(new PsSize(least.workers() + w, least.servers() + p));
            }
        }
        return sizes;
    }
}

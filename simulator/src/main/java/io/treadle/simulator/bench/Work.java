// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench;

import java.util.Optional;

/**
 * A piece of work that is to be measured.
 *
 * @param heapMb heap of its JVM
 * @param published what another simulator costs for the very same
 */
record Work(String name, ProbeRequest request, int nodes, int heapMb, Optional<Published> published) {
    static Work of(String name, ProbeRequest request, int nodes, int heapMb) {
        return new Work(name, request, nodes, heapMb, Optional.empty());
    }

    Work beside(Published theirs) {
        return new Work(name, request, nodes, heapMb, Optional.of(theirs));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import io.treadle.core.resource.ResourceVector;

/**
 * A NodeManager that YARN has.
 *
 * @param id its {@code host:port}
 * @param host its host
 * @param partition its label; empty for none
 * @param capacity all that it offers
 * @param free what nobody holds of it
 * @param empty whether no container is on it, nobody has reserved it, and no application that still runs has been on it
 * @param stage what YARN does with it
 */
public record NodeSight(
        String id,
        String host,
        String partition,
        ResourceVector capacity,
        ResourceVector free,
        boolean empty,
        Stage stage) {
    /** As far as it matters here. */
    public enum Stage {
        /** It takes containers. */
        RUNNING,
        /** It is being decommissioned, and takes none. */
        DRAINING,
        /** It is out of order. */
        OTHER
    }

    NodeKind kind() {
        return new NodeKind(partition, capacity);
    }
}

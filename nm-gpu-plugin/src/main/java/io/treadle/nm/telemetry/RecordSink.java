// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.core.wire.NodeRecord;
import io.treadle.nm.power.CapLease;

/** Where node records go, and where wanted caps come from. Never blocks and never throws for trouble outside this process. */
public interface RecordSink extends AutoCloseable {
    /** False if the record could not be taken now, and should be offered again. */
    boolean put(NodeRecord node);

    /**
     * Begins to tell what the ResourceManager wants the node's GPUs to draw.
     *
     * @param node {@code host:port} of the NodeManager
     */
    default void watchCaps(String node, CapLease lease) {}

    @Override
    default void close() {}
}

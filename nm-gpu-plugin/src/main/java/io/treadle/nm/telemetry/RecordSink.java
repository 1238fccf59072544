// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.core.wire.NodeRecord;

/** Where node records go. Never blocks and never throws for trouble outside this process. */
public interface RecordSink extends AutoCloseable {
    /** False if the record could not be taken now, and should be offered again. */
    boolean put(NodeRecord node);

    @Override
    default void close() {}
}

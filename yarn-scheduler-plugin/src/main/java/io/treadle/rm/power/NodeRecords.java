// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.core.wire.NodeRecord;

/** Is shown every record that a node writes. */
public interface NodeRecords {
    /** @param node {@code host:port} of the NodeManager */
    void seen(String node, NodeRecord record);

    /** YARN has lost the node. */
    void gone(String node);
}

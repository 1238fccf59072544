// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import java.util.List;
import java.util.Map;

/** Nodes as YARN has them. */
public interface YarnNodes {
    List<NodeSight> nodes();

    /** @param off nodes that are there for the asking */
    List<Need> needs(Map<String, NodeKind> off);

    /** Whether YARN has taken the node out as it was asked to. */
    boolean isDecommissioned(String node);

    /** The node takes no containers any more, and is decommissioned as soon as it holds none. */
    void drain(String node);

    /** A node that drains takes containers again. */
    void keep(String node);
}

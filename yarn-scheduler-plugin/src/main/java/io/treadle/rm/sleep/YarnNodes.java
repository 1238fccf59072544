// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import java.util.Collection;
import java.util.List;

/** Nodes as YARN has them. A node is a NodeManager, named by its {@code host:port}. */
public interface YarnNodes {
    List<NodeSight> nodes();

    /** @param off what is there for the asking */
    Waiting waiting(Collection<NodeKind> off);

    /** Whether a queue takes reservations (YARN's reservation system): they are promised on nodes that are there. */
    boolean promisesRoom();

    /** Whether the administrator has excluded the host, or not included it. */
    boolean isExcluded(String host);

    /** Whether YARN has taken the node out as it was asked to. */
    boolean isDecommissioned(String node);

    /** The node takes no containers any more, and is decommissioned as soon as it holds none. */
    void drain(String node);

    /** A node that drains takes containers again. */
    void keep(String node);
}

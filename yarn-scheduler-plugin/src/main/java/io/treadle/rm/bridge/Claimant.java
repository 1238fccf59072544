// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * For whom a snapshot is made beside its queue.
 *
 * @param gang the gang to which its reserved room is visible; null for none
 * @param ended containers that the snapshot shows as ended
 * @param dropped nodes that the snapshot shows without YARN's own reservation of them
 * @param headroom what the gang's queue may take by then; empty for what it may take now
 */
public record Claimant(
        @Nullable ApplicationId gang, Set<ContainerId> ended, Set<NodeId> dropped, Optional<ResourceVector> headroom) {
    /** The cluster as it is, and reserved room hidden. */
    public static final Claimant NONE = new Claimant(null, Set.of(), Set.of(), Optional.empty());

    public Claimant {
        ended = Set.copyOf(ended);
        dropped = Set.copyOf(dropped);
    }

    /** One to which its reserved room is visible, in the cluster as it is. */
    public static Claimant of(ApplicationId gang) {
        return new Claimant(gang, Set.of(), Set.of(), Optional.empty());
    }

    /** Whether the snapshot shows what would be. */
    boolean foresees() {
        return headroom.isPresent();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import io.treadle.core.wire.JobProgressRecord;
import io.treadle.core.wire.MemoryRecord;
import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.ProfileRecord;
import java.util.Optional;

/** What ApplicationMasters and nodes have said last. */
public interface Telemetry {
    /** The devices of a node; empty where its plugin has not spoken. */
    Optional<NodeRecord> node(String hostAndPort);

    /** Whether any node's plugin has spoken: where none has, what is asked of each node need not be asked. */
    boolean knowsNodes();

    /** A job's measured speeds; empty while there are none, or none that can be used. */
    Optional<ProfileRecord> profile(String applicationId);

    /**
     * The speeds of an earlier job of the same user, model tag, GPU model and batch size; empty as long as the GPU model
     * of the job is open.
     */
    Optional<ProfileRecord> known(String applicationId);

    Optional<JobProgressRecord> progress(String applicationId);

    /** What memory the job's containers can live with, as it was asked last; empty before it was. */
    Optional<MemoryRecord> memoryGiven(String applicationId);
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.core.wire.JobProgressRecord;
import io.treadle.core.wire.MemoryRecord;
import io.treadle.core.wire.ProfileRecord;

/** The job's node in ZooKeeper. Calls return at once; what cannot be written now is written when ZooKeeper is back. */
interface JobNode {
    void publish(ProfileRecord profile);

    void publish(JobProgressRecord progress);

    /** Answers what memory the scheduler wants back. */
    void publish(MemoryRecord given);
}

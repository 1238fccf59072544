// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import java.util.Comparator;

/** In which order jobs are served. Jobs that compare equal stay in the snapshot's order, that of their submission. */
public interface Order {
    String name();

    Comparator<JobView> comparator(Snapshot snapshot);
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import java.util.Comparator;

/** First submitted, first served. */
public final class Fifo implements Order {
    @Override
    public String name() {
        return "fifo";
    }

    @Override
    public Comparator<JobView> comparator(Snapshot snapshot) {
        return Comparator.comparingLong(JobView::submitMs);
    }
}

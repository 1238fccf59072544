// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.cluster;

import io.treadle.core.resource.ResourceVector;
import java.util.List;

/**
 * The queue whose jobs are planned.
 *
 * @param name full path, such as {@code root.research}
 * @param limit the most that the queue may hold, everything counted
 * @param othersUse what containers other than the snapshot's running tasks hold of it
 * @param users the users whose share of the queue is limited
 * @param othersWait whether jobs of another queue wait for GPUs of these nodes: it cannot take back what the running
 *     tasks of this one hold beyond their shares
 */
public record QueueView(
        String name, ResourceVector limit, ResourceVector othersUse, List<UserView> users, boolean othersWait) {
    public QueueView {
        users = List.copyOf(users);
    }

    /** A queue that knows no limits of users. */
    public QueueView(String name, ResourceVector limit, ResourceVector othersUse) {
        this(name, limit, othersUse, List.of(), false);
    }

    public QueueView withLimit(ResourceVector newLimit) {
        return new QueueView(name, newLimit, othersUse, users, othersWait);
    }

    public QueueView withOthersWaiting(boolean wait) {
        return new QueueView(name, limit, othersUse, users, wait);
    }

    /** What is left for the snapshot's jobs; never below zero. */
    public ResourceVector available() {
        return limit.minus(othersUse).max(ResourceVector.ZERO);
    }
}

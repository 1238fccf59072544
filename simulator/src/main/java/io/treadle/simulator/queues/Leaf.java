// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.queues;

import io.treadle.core.job.JobView;
import io.treadle.core.policy.SharedSession;
import io.treadle.core.resource.ResourceVector;
import java.util.HashMap;
import java.util.Map;

/** A queue that takes jobs, with its policy at work. */
final class Leaf {
    private final Account account;
    private final SharedSession session;
    /** What each job that waits asks for. */
    private final Map<String, ResourceVector> waiting = new HashMap<>();
    /** How many wait for so much. */
    private final Map<ResourceVector, Integer> asks = new HashMap<>();

    private boolean othersWait;

    Leaf(Account account, SharedSession session) {
        this.account = account;
        this.session = session;
    }

    Account account() {
        return account;
    }

    SharedSession session() {
        return session;
    }

    void waits(JobView job) {
        waitsNoLonger(job.id());
        ResourceVector ask = job.ask();
        waiting.put(job.id(), ask);
        asks.merge(ask, 1, Integer::sum);
    }

    void waitsNoLonger(String jobId) {
        ResourceVector ask = waiting.remove(jobId);
        if (ask != null) {
            asks.compute(ask, (key, count) -> count == null || count == 1 ? null : count - 1);
        }
    }

    /** @return whether jobs of others wait now and did not before */
    boolean othersWait(boolean wait) {
        boolean isNew = wait && !othersWait;
        if (wait != othersWait) {
            othersWait = wait;
            session.othersWait(wait);
        }
        return isNew;
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    /** Whether a job waits that asks for no more than this. */
    boolean waitsFor(ResourceVector room) {
        return asks.keySet().stream().anyMatch(ask -> ask.fitsIn(room));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.queues;

import io.treadle.core.job.JobView;
import io.treadle.core.policy.SharedSession;
import io.treadle.core.resource.ResourceVector;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** A queue that takes jobs, with its policy at work. */
final class Leaf {
    private final Account account;
    private final SharedSession session;
    private final Map<String, JobView> waiting = new HashMap<>();
    /** How many wait for so much. */
    private final Map<ResourceVector, Integer> asks = new HashMap<>();

    private boolean othersWait;

    private final boolean plansAll;

    /** @param plansAll whether its policy chooses for all its jobs at once, and stops some for others */
    Leaf(Account account, SharedSession session, boolean plansAll) {
        this.account = account;
        this.session = session;
        this.plansAll = plansAll;
    }

    boolean plansAll() {
        return plansAll;
    }

    /** What the policy is told of a job: what an elastic one could hold beyond its minima may be another queue's. */
    JobView told(JobView job) {
        return plansAll ? job : job.atMinima();
    }

    Account account() {
        return account;
    }

    SharedSession session() {
        return session;
    }

    void waits(JobView job) {
        waitsNoLonger(job.id());
        waiting.put(job.id(), job);
        asks.merge(job.ask(), 1, Integer::sum);
    }

    void waitsNoLonger(String jobId) {
        JobView job = waiting.remove(jobId);
        if (job != null) {
            asks.compute(job.ask(), (key, count) -> count == null || count == 1 ? null : count - 1);
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

    /** Jobs that wait, at their minima. */
    Collection<JobView> waiting() {
        return waiting.values();
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    /** Whether a job waits that asks for no more than this. */
    boolean waitsFor(ResourceVector room) {
        return asks.keySet().stream().anyMatch(ask -> ask.fitsIn(room));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.rm.bridge.Withdrawal;
import io.treadle.rm.gang.Gang;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs that give containers up: each is asked, asked again, and after a while its containers are ended. Used by the planner
 * thread.
 */
final class MakingWay {
    private static final Logger LOG = LoggerFactory.getLogger(MakingWay.class);
    /** A job that is forming its gang does not hear, and an ApplicationMaster may be started anew. */
    private static final long ASK_AGAIN_MS = 5_000;

    private record Leaving(Set<ContainerId> containers, long sinceMs, long askedMs) {}

    private final Withdrawal withdrawal;
    private final Duration patience;
    private final Map<ApplicationId, Leaving> leaving = new HashMap<>();

    /** @param patience how long a job has for its last checkpoint */
    MakingWay(Withdrawal withdrawal, Duration patience) {
        this.withdrawal = withdrawal;
        this.patience = patience;
    }

    void begin(Gang gang, Set<ContainerId> containers, long nowMs) {
        if (!containers.isEmpty()) {
            LOG.info("{} is asked to give {} up", gang.id(), containers);
            leaving.put(gang.id(), new Leaving(Set.copyOf(containers), nowMs, nowMs));
            withdrawal.ask(gang, containers);
        }
    }

    /** Looks after those of these jobs that give containers up; says whether one is not done yet. */
    boolean goesOn(List<Gang> jobs, long nowMs) {
        boolean any = false;
        for (Gang gang : jobs) {
            Leaving job = leaving.get(gang.id());
            if (job != null) {
                Set<ContainerId> left = withdrawal.left(gang, job.containers());
                any |= !left.isEmpty();
                goOn(gang, job, left, nowMs);
            }
        }
        return any;
    }

    private void goOn(Gang gang, Leaving job, Set<ContainerId> left, long nowMs) {
        if (left.isEmpty()) {
            leaving.remove(gang.id());
        } else if (nowMs - job.sinceMs() >= patience.toMillis()) {
            LOG.warn("{} has not given {} up within {} s, they are ended", gang.id(), left, patience.toSeconds());
            withdrawal.take(gang, left);
        } else if (nowMs - job.askedMs() >= ASK_AGAIN_MS) {
            leaving.put(gang.id(), new Leaving(job.containers(), job.sinceMs(), nowMs));
            withdrawal.ask(gang, left);
        }
    }

    /** Forgets jobs that are gone. */
    void keep(Collection<ApplicationId> jobs) {
        leaving.keySet().retainAll(jobs);
    }
}

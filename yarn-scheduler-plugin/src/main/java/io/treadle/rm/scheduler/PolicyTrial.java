// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.PlanRepair;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A policy decides on a snapshot that is not its round's. With a slow policy the plan is there some rounds later.
 *
 * @param snapshot that the plan is for
 */
record PolicyTrial(Snapshot snapshot, Future<PlanRepair.Result> result) {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyTrial.class);

    boolean isDone() {
        return result.isDone();
    }

    /** Only once it is done; empty where the policy failed or decided against a rule: it is not told of either. */
    Optional<Plan> plan() {
        try {
            PlanRepair.Result checked = result.get();
            return checked.broken().isEmpty() ? Optional.of(checked.plan()) : Optional.empty();
        } catch (ExecutionException e) {
            LOG.debug("A trial of a policy failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Optional.empty();
    }
}

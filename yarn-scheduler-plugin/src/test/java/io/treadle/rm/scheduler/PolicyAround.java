// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.plan.Plan;
import io.treadle.core.policy.Policy;

/** A policy that is another one but for what its class says otherwise. */
interface PolicyAround extends Policy {
    /** The other one. */
    Policy policy();

    @Override
    default String name() {
        return policy().name();
    }

    @Override
    default boolean stopsJobs() {
        return policy().stopsJobs();
    }

    @Override
    default boolean choosesGpus() {
        return policy().choosesGpus();
    }

    @Override
    default long intervalMs() {
        return policy().intervalMs();
    }

    @Override
    default Plan plan(Snapshot snapshot) {
        return policy().plan(snapshot);
    }
}

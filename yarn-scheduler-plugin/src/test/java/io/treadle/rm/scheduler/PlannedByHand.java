// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.plan.TaskPlacement;
import io.treadle.rm.bridge.ContainerResizer;
import io.treadle.rm.bridge.GangCommitter;
import io.treadle.rm.bridge.GangReservations;
import io.treadle.rm.bridge.MemoryWishes;
import io.treadle.rm.bridge.SchedulerAccess;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.profile.NoTelemetry;
import io.treadle.rm.sleep.Sleeping;
import java.util.List;
import java.util.Optional;

/** What a test does in the place of the planner, on a cluster whose nodes say nothing of devices. */
final class PlannedByHand {
    private PlannedByHand() {}

    /** @return why the tasks were not granted; empty where they were */
    static Optional<String> commit(SchedulerAccess access, Gang gang, List<TaskPlacement> tasks) {
        return new GangCommitter(access, new NoTelemetry(), Sleeping.NONE, new GangReservations()).commit(gang, tasks);
    }

    static ContainerResizer resizer(SchedulerAccess access) {
        return new ContainerResizer(access, new MemoryWishes(new NoTelemetry(), (job, wanted) -> {}));
    }
}

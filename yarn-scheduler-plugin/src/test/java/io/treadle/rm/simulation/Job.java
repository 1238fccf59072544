// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import java.util.List;

/**
 * What is submitted.
 *
 * @param number names the application in events
 * @param tasks containers that it wants at a time
 * @param size of one container, as it is asked for
 * @param beats heartbeats of its ApplicationMaster that a container runs
 */
record Job(int number, Kind kind, String queue, String user, int tasks, ResourceVector size, int beats) {
    enum Kind {
        /** All tasks or none; it ends when they have run. */
        GANG,
        /** Tasks run as they come; it ends when all have run. */
        PLAIN,
        /** As Spark with dynamic allocation: as many tasks as there is room for, always. It ends when it is killed. */
        FLOOD
    }

    boolean isGang() {
        return kind == Kind.GANG;
    }

    GangSpec spec() {
        return new GangSpec(List.of(new GangSpec.Group("worker", tasks, tasks, size, List.of())), "", 0, false, 0, "");
    }

    @Override
    public String toString() {
        return kind.name().toLowerCase(java.util.Locale.ROOT) + " a" + number + " of " + user + " in " + queue + ": "
                + tasks + " × (" + size.describe() + ") for " + beats + " beats";
    }
}

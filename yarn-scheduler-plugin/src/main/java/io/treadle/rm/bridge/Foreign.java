// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.rm.gang.GangTable;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;

/** Which applications are not Treadle's. */
final class Foreign {
    private Foreign() {}

    /** Whether the application is no gang: its containers come and go one by one. */
    static boolean isPlain(SchedulerApplicationAttempt app) {
        return !GangTable.isGang(app.getApplicationSchedulingEnvs());
    }
}

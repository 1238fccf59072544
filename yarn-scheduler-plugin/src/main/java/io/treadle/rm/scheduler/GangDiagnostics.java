// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.rm.gang.Gang;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;

/** Shows why a job waits where YARN shows diagnostics: {@code yarn application -status}, REST and the RM's pages. */
final class GangDiagnostics {
    private final RMContext context;

    GangDiagnostics(RMContext context) {
        this.context = context;
    }

    void show(List<Gang> gangs) {
        for (Gang gang : gangs) {
            RMApp app = context.getRMApps().get(gang.id());
            RMAppAttempt attempt = app == null ? null : app.getCurrentAppAttempt();
            if (attempt != null) {
                attempt.updateAMLaunchDiagnostics(gang.reason());
            }
        }
    }
}

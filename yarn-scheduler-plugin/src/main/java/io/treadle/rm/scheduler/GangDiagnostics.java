// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import com.google.common.base.Strings;
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
            if (attempt == null) {
                continue;
            }
            if (gang.state() != Gang.State.ACCEPTED) {
                attempt.updateAMLaunchDiagnostics(gang.reason());
            } else if (attempt.getMasterContainer() == null && !Strings.isNullOrEmpty(attempt.getDiagnostics())) {
                // Until the AM has its container, CapacityScheduler says what keeps it: the queue's limits for AMs.
                gang.explain(Gang.State.ACCEPTED, attempt.getDiagnostics().strip());
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppImpl;

/**
 * Tells application ids of jobs that have ended, or that the ResourceManager does not know. Recovered applications are
 * known before its services start.
 */
public record EndedApplications(RMContext context) implements Predicate<String> {
    @Override
    public boolean test(String applicationId) {
        if (!applicationId.matches("application_[0-9]+_[0-9]+")) {
            return false;
        }
        RMApp app = context.getRMApps().get(ApplicationId.fromString(applicationId));
        return app == null || RMAppImpl.isAppInFinalState(app);
    }
}

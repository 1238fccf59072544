// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.yarn.server.resourcemanager;

import java.io.IOException;
import java.net.ServerSocket;
import org.apache.hadoop.yarn.server.resourcemanager.amlauncher.AMLauncherEvent;
import org.apache.hadoop.yarn.server.resourcemanager.amlauncher.AMLauncherEventType;
import org.apache.hadoop.yarn.server.resourcemanager.amlauncher.ApplicationMasterLauncher;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptImpl;

/**
 * A whole ResourceManager, whose pages start when they are wanted, and whose ApplicationMasters are objects of this process. It is in
 * Hadoop's package as Hadoop looks for its pages below that of the ResourceManager's class.
 */
public final class BareManager extends ResourceManager {
    @Override
    protected void startWepApp() {}

    /**
     * Starts its pages, which it has not while anything else is timed.
     *
     * @return their port
     */
    public int startPages() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        webAppAddress = "127.0.0.1:" + port;
        super.startWepApp();
        return port;
    }

    @Override
    protected ApplicationMasterLauncher createAMLauncher() {
        return new ApplicationMasterLauncher(rmContext) {
            @Override
            public synchronized void handle(AMLauncherEvent event) {
                if (event.getType() == AMLauncherEventType.LAUNCH
                        && event.getAppAttempt() instanceof RMAppAttemptImpl attempt) {
                    attempt.setAMRMToken(
                            rmContext.getAMRMTokenSecretManager().createAndGetAMRMToken(attempt.getAppAttemptId()));
                    rmContext
                            .getDispatcher()
                            .getEventHandler()
                            .handle(new RMAppAttemptEvent(
                                    attempt.getAppAttemptId(),
                                    RMAppAttemptEventType.LAUNCHED,
                                    System.currentTimeMillis()));
                }
            }
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.am.protocol.ServiceProtocol;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;

/** What YARN knows of a service. */
final class ServiceReport {
    private ServiceReport() {}

    /**
     * @throws UnansweredException if the application is a service that does not answer now
     * @throws ClientException if it is none, or is over
     */
    static void check(ApplicationReport report) {
        ApplicationId id = report.getApplicationId();
        if (!ServiceProtocol.APPLICATION_TYPE.equals(report.getApplicationType())) {
            throw new ClientException(id + " is of the type " + report.getApplicationType() + ", must be "
                    + ServiceProtocol.APPLICATION_TYPE + ".\nMaybe 'status " + id + "' says what it does.");
        }
        switch (report.getYarnApplicationState()) {
            case RUNNING -> {
                // Until an ApplicationMaster that is started again has registered there is no port.
                if (report.getHost() == null || report.getRpcPort() <= 0) {
                    throw starting(id, "is RUNNING, but has not said where it answers");
                }
            }
            case FINISHED, FAILED, KILLED ->
                throw new ClientException(id + " is " + report.getYarnApplicationState()
                        + ", must be RUNNING.\nMaybe start the service again; it will have another id.");
            default -> throw starting(id, "is " + report.getYarnApplicationState() + ", must be RUNNING");
        }
    }

    private static UnansweredException starting(ApplicationId id, String state) {
        return new UnansweredException(
                id + " " + state + ".\nMaybe it is being started, or started again: 'explain " + id
                        + "' says what it waits for.",
                UnansweredException.SOON_MS);
    }
}

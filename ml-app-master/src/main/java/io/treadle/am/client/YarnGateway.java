// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** What the client needs of the ResourceManager. */
interface YarnGateway extends AutoCloseable {
    /**
     * @param id the new application's id
     * @param largest the most that YARN grants to one container
     */
    record NewApplication(ApplicationId id, Resource largest) {}

    /** Reserves an application id; leaves nothing behind if the id is never used. */
    NewApplication create() throws IOException, YarnException;

    /** Names of all resource types of the cluster, {@code memory-mb} and {@code vcores} included. */
    Set<String> resourceTypes() throws IOException, YarnException;

    List<NodeReport> runningNodes() throws IOException, YarnException;

    /** All queues below the root, parents before children. */
    List<QueueInfo> queues() throws IOException, YarnException;

    /** Returns when the ResourceManager has accepted the application; throws with its reason if it refused. */
    void submit(ApplicationSubmissionContext context) throws IOException, YarnException;

    ApplicationReport report(ApplicationId id) throws IOException, YarnException;

    /** Returns when the application is dead. */
    void kill(ApplicationId id, String reason) throws IOException, YarnException;

    /** Applications of type TREADLE that are not over. */
    List<ApplicationReport> activeJobs() throws IOException, YarnException;

    @Override
    void close();
}

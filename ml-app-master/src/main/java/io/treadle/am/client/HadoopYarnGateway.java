// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.am.protocol.ServiceProtocol;
import io.treadle.core.wire.GangSpec;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.ResourceTypeInfo;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/** The ResourceManager through Hadoop's own client. */
final class HadoopYarnGateway implements YarnGateway {
    private final YarnClient client;

    private HadoopYarnGateway(YarnClient client) {
        this.client = client;
    }

    /** Connects and learns the cluster's resource types where the local configuration lacks some. */
    static HadoopYarnGateway connect(Configuration conf) throws IOException, YarnException {
        YarnClient client = YarnClient.createYarnClient();
        client.init(conf);
        client.start();
        HadoopYarnGateway gateway = new HadoopYarnGateway(client);
        try {
            gateway.learnResourceTypes(conf);
            return gateway;
        } catch (IOException | YarnException | RuntimeException e) {
            client.stop();
            throw e;
        }
    }

    /** The types also go into {@code conf}, because the ApplicationMaster starts from a copy of it. */
    private void learnResourceTypes(Configuration conf) throws IOException, YarnException {
        List<ResourceTypeInfo> types = client.getResourceTypeInfo();
        Set<String> known = ResourceUtils.getResourceTypes().keySet();
        if (!known.containsAll(names(types))) {
            ResourceUtils.reinitializeResources(types);
        }
        ClusterResourceTypes.addTo(conf, types);
    }

    private static Set<String> names(List<ResourceTypeInfo> types) {
        return types.stream().map(ResourceTypeInfo::getName).collect(Collectors.toSet());
    }

    @Override
    public NewApplication create() throws IOException, YarnException {
        GetNewApplicationResponse response = client.createApplication().getNewApplicationResponse();
        return new NewApplication(response.getApplicationId(), response.getMaximumResourceCapability());
    }

    @Override
    public Set<String> resourceTypes() throws IOException, YarnException {
        return names(client.getResourceTypeInfo());
    }

    @Override
    public List<NodeReport> runningNodes() throws IOException, YarnException {
        return client.getNodeReports(NodeState.RUNNING);
    }

    @Override
    public List<QueueInfo> queues() throws IOException, YarnException {
        return client.getAllQueues();
    }

    @Override
    public void submit(ApplicationSubmissionContext context) throws IOException, YarnException {
        client.submitApplication(context);
    }

    @Override
    public ApplicationReport report(ApplicationId id) throws IOException, YarnException {
        return client.getApplicationReport(id);
    }

    @Override
    public void kill(ApplicationId id, String reason) throws IOException, YarnException {
        client.killApplication(id, reason);
    }

    @Override
    public List<ApplicationReport> activeJobs() throws IOException, YarnException {
        return client.getApplications(
                Set.of(GangSpec.APPLICATION_TYPE, ServiceProtocol.APPLICATION_TYPE),
                EnumSet.of(
                        YarnApplicationState.NEW,
                        YarnApplicationState.NEW_SAVING,
                        YarnApplicationState.SUBMITTED,
                        YarnApplicationState.ACCEPTED,
                        YarnApplicationState.RUNNING));
    }

    @Override
    public void close() {
        client.stop();
    }
}

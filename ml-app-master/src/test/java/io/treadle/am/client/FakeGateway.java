// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.QueueConfigurations;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.QueueState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.util.Records;

/** A ResourceManager of one small cluster, in memory. */
final class FakeGateway implements YarnGateway {
    static final ApplicationId ID = ApplicationId.newInstance(1_700_000_000_000L, 1);

    /** Something that happens instead of, or before, a call's normal answer. */
    interface Event {
        void happen() throws IOException, YarnException;
    }

    final List<ApplicationSubmissionContext> submitted = new ArrayList<>();
    final List<ApplicationId> killed = new ArrayList<>();
    final Deque<ApplicationReport> reports = new ArrayDeque<>();
    final List<QueueInfo> queues = new ArrayList<>(List.of(queue("root.default", QueueState.RUNNING, 16_384, 16)));
    Resource largest = Resource.newInstance(8192, 8);
    int nodes = 2;
    Event onSubmit = () -> {};
    boolean closed;
    /** Application ids that were taken. */
    int created;

    @Override
    public NewApplication create() {
        created++;
        return new NewApplication(ID, largest);
    }

    @Override
    public Set<String> resourceTypes() {
        return Set.of("memory-mb", "vcores");
    }

    @Override
    public List<NodeReport> runningNodes() {
        List<NodeReport> result = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            NodeReport report = Records.newRecord(NodeReport.class);
            report.setNodeId(NodeId.newInstance("n" + i, 45454));
            report.setNodeState(NodeState.RUNNING);
            report.setCapability(Resource.newInstance(8192, 8));
            result.add(report);
        }
        return result;
    }

    @Override
    public List<QueueInfo> queues() {
        return queues;
    }

    static QueueInfo queue(String path, QueueState state, int memoryMiB, int vcores, QueueInfo... children) {
        QueueInfo info = Records.newRecord(QueueInfo.class);
        info.setQueueName(path.substring(path.lastIndexOf('.') + 1));
        info.setQueuePath(path);
        info.setQueueState(state);
        info.setChildQueues(List.of(children));
        QueueConfigurations limits = QueueConfigurations.newInstance(1, 1, 1, 1, 1);
        limits.setEffectiveMaxCapacity(Resource.newInstance(memoryMiB, vcores));
        info.setQueueConfigurations(Map.of("", limits));
        return info;
    }

    @Override
    public void submit(ApplicationSubmissionContext context) throws IOException, YarnException {
        submitted.add(context);
        onSubmit.happen();
    }

    @Override
    public ApplicationReport report(ApplicationId id) throws YarnException {
        ApplicationReport next = reports.size() > 1 ? reports.poll() : reports.peek();
        if (next == null) {
            throw new ApplicationNotFoundException("Application with id '" + id + "' doesn't exist in RM.");
        }
        return next;
    }

    static ApplicationReport report(YarnApplicationState state, FinalApplicationStatus end, String diagnostics) {
        ApplicationReport report = Records.newRecord(ApplicationReport.class);
        report.setApplicationId(ID);
        report.setName("mnist");
        report.setUser("ada");
        report.setQueue("root.default");
        report.setYarnApplicationState(state);
        report.setFinalApplicationStatus(end);
        report.setDiagnostics(diagnostics);
        report.setStartTime(1000);
        report.setFinishTime(73_000);
        report.setTrackingUrl("N/A");
        return report;
    }

    @Override
    public void kill(ApplicationId id, String reason) {
        killed.add(id);
    }

    @Override
    public List<ApplicationReport> activeJobs() {
        return List.copyOf(reports);
    }

    @Override
    public void close() {
        closed = true;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** An application of the bench and its ApplicationMaster, which asks as a real one does. */
final class Master {
    private static final Resource SIZE = Resource.newInstance(128, 1);

    private final ResourceManager manager;
    private final ApplicationId id;
    private final List<ContainerId> held = new ArrayList<>();
    private UserGroupInformation user = UserGroupInformation.createRemoteUser("unregistered");
    private int responseId;

    private Master(ResourceManager manager, ApplicationId id) {
        this.manager = manager;
        this.id = id;
    }

    /**
     * @param type as YARN's application type
     * @param properties for the scheduler
     */
    static Master submit(ResourceManager manager, String queue, String type, Map<String, String> properties)
            throws YarnException, IOException {
        ApplicationId id = manager.getClientRMService()
                .getNewApplication(GetNewApplicationRequest.newInstance())
                .getApplicationId();
        ContainerLaunchContext launch = ContainerLaunchContext.newInstance(
                Map.of(), Map.of(), List.of(), Map.of(), (ByteBuffer) null, Map.of());
        ApplicationSubmissionContext context = ApplicationSubmissionContext.newInstance(
                id, "bench", queue, Priority.newInstance(0), launch, false, true, 1, SIZE, type, true);
        context.setApplicationSchedulingPropertiesMap(properties);
        manager.getClientRMService().submitApplication(SubmitApplicationRequest.newInstance(context));
        return new Master(manager, id);
    }

    ApplicationAttemptId attemptId() {
        return attempt().getAppAttemptId();
    }

    /** Whether its container is there. */
    boolean isLaunched() {
        RMAppAttempt attempt = attempt();
        return attempt != null && attempt.getState() == RMAppAttemptState.LAUNCHED;
    }

    private RMAppAttempt attempt() {
        return Objects.requireNonNull(manager.getRMContext().getRMApps().get(id))
                .getCurrentAppAttempt();
    }

    Container container() {
        return attempt().getMasterContainer();
    }

    void register() throws IOException, InterruptedException {
        user = UserGroupInformation.createRemoteUser(attemptId().toString());
        Token<AMRMTokenIdentifier> token = attempt().getAMRMToken();
        user.addTokenIdentifier(token.decodeIdentifier());
        user.doAs((PrivilegedExceptionAction<Object>) () -> manager.getApplicationMasterService()
                .registerApplicationMaster(RegisterApplicationMasterRequest.newInstance("localhost", 0, "")));
    }

    /** @return the containers that came */
    List<Container> allocate(List<ResourceRequest> asks) throws IOException, InterruptedException {
        // Over the wire the scheduler has a copy, in which it counts what is left.
        List<ResourceRequest> copies = asks.stream().map(ResourceRequest::clone).toList();
        AllocateResponse answer = allocate(copies, List.of());
        answer.getAllocatedContainers().forEach(container -> held.add(container.getId()));
        return answer.getAllocatedContainers();
    }

    /** Containers that the scheduler knows of it. */
    int live(CapacityScheduler scheduler) {
        return scheduler.getApplicationAttempt(attemptId()).getLiveContainers().size();
    }

    int held() {
        return held.size();
    }

    /** Asks for no more and gives back all that it holds, also what was committed meanwhile. */
    void giveBack(ResourceRequest ask) throws IOException, InterruptedException {
        allocate(List.of(none(ask)));
        while (!held.isEmpty()) {
            List<ContainerId> given = List.copyOf(held);
            held.clear();
            allocate(List.of(), given).getAllocatedContainers().forEach(container -> held.add(container.getId()));
        }
    }

    private static ResourceRequest none(ResourceRequest ask) {
        ResourceRequest none = ResourceRequest.clone(ask);
        none.setNumContainers(0);
        return none;
    }

    private AllocateResponse allocate(List<ResourceRequest> asks, List<ContainerId> releases)
            throws IOException, InterruptedException {
        AllocateRequest request =
                AllocateRequest.newInstance(responseId, 0, new ArrayList<>(asks), new ArrayList<>(releases), null);
        AllocateResponse answer = user.doAs((PrivilegedExceptionAction<AllocateResponse>)
                () -> manager.getApplicationMasterService().allocate(request));
        responseId = answer.getResponseId();
        return answer;
    }

    void finish() throws IOException, InterruptedException {
        FinishApplicationMasterRequest request =
                FinishApplicationMasterRequest.newInstance(FinalApplicationStatus.SUCCEEDED, "", "");
        while (!user.doAs((PrivilegedExceptionAction<Boolean>) () -> manager.getApplicationMasterService()
                .finishApplicationMaster(request)
                .getIsUnregistered())) {
            Thread.sleep(1);
        }
    }

    static ResourceRequest ask(Resource size, int containers, int priority, long requestId) {
        return ResourceRequest.newBuilder()
                .priority(Priority.newInstance(priority))
                .allocationRequestId(requestId)
                .resourceName(ResourceRequest.ANY)
                .capability(size)
                .numContainers(containers)
                .build();
    }
}

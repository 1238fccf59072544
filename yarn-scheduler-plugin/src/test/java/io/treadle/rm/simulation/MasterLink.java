// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import java.lang.reflect.UndeclaredThrowableException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;

/** What one attempt's ApplicationMaster says to the ResourceManager. */
final class MasterLink {
    final ApplicationAttemptId attempt;
    private int responseId;

    MasterLink(ApplicationAttemptId attempt) {
        this.attempt = attempt;
    }

    RegisterApplicationMasterResponse register(MockRM resourceManager) throws Exception {
        responseId = 0;
        return as(
                resourceManager,
                master -> master.registerApplicationMaster(RegisterApplicationMasterRequest.newInstance("", 1, "")));
    }

    /** @param heard whether the answer arrives; if not, the same request is sent again next time */
    AllocateResponse allocate(
            MockRM resourceManager,
            List<ResourceRequest> asks,
            List<ContainerId> releases,
            List<UpdateContainerRequest> updates,
            boolean heard)
            throws Exception {
        AllocateRequest request = AllocateRequest.newInstance(responseId, 0, asks, releases, updates, null);
        AllocateResponse answer = as(resourceManager, master -> master.allocate(request));
        if (heard) {
            responseId = answer.getResponseId();
        }
        return answer;
    }

    void finish(MockRM resourceManager) throws Exception {
        as(
                resourceManager,
                master -> master.finishApplicationMaster(
                        FinishApplicationMasterRequest.newInstance(FinalApplicationStatus.SUCCEEDED, "", "")));
    }

    private interface Call<T> {
        T on(ApplicationMasterProtocol master) throws Exception;
    }

    private <T> T as(MockRM resourceManager, Call<T> call) throws Exception {
        RMApp application = Objects.requireNonNull(
                resourceManager.getRMContext().getRMApps().get(attempt.getApplicationId()), "unknown application");
        UserGroupInformation user = UserGroupInformation.createRemoteUser(attempt.toString());
        user.addTokenIdentifier(
                application.getRMAppAttempt(attempt).getAMRMToken().decodeIdentifier());
        try {
            return user.doAs(
                    (PrivilegedExceptionAction<T>) () -> call.on(resourceManager.getApplicationMasterService()));
        } catch (UndeclaredThrowableException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }
}

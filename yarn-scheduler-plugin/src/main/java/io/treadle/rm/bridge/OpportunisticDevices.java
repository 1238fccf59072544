// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.rm.gang.GangHost;
import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.ams.ApplicationMasterServiceContext;
import org.apache.hadoop.yarn.ams.ApplicationMasterServiceProcessor;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.InvalidResourceRequestException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.jspecify.annotations.Nullable;

/**
 * Refuses asks for opportunistic containers with GPUs. Such containers come past the scheduler: it chooses no device for
 * them, and would give their devices to a second container. Hadoop calls this before its own allocator of them.
 */
public final class OpportunisticDevices implements ApplicationMasterServiceProcessor {
    private @Nullable RMContext context;
    private @Nullable ApplicationMasterServiceProcessor next;

    /** Puts it in front of the processors that the configuration names. Hadoop reads them after the scheduler's start. */
    public static void addTo(Configuration conf) {
        String key = YarnConfiguration.RM_APPLICATION_MASTER_SERVICE_PROCESSORS;
        String ours = OpportunisticDevices.class.getName();
        String named = conf.get(key, "");
        if (!conf.getTrimmedStringCollection(key).contains(ours)) {
            conf.set(key, named.isBlank() ? ours : ours + "," + named);
        }
    }

    @Override
    public void init(ApplicationMasterServiceContext amsContext, ApplicationMasterServiceProcessor nextProcessor) {
        context = amsContext instanceof RMContext known ? known : null;
        next = nextProcessor;
    }

    private ApplicationMasterServiceProcessor next() {
        return Objects.requireNonNull(next, "the processor is used before it is initialised");
    }

    @Override
    public void registerApplicationMaster(
            ApplicationAttemptId attempt,
            RegisterApplicationMasterRequest request,
            RegisterApplicationMasterResponse response)
            throws IOException, YarnException {
        next().registerApplicationMaster(attempt, request, response);
    }

    @Override
    public void allocate(ApplicationAttemptId attempt, AllocateRequest request, AllocateResponse response)
            throws YarnException {
        for (ResourceRequest ask : request.getAskList()) {
            if (ask.getExecutionTypeRequest() != null
                    && ask.getExecutionTypeRequest().getExecutionType() == ExecutionType.OPPORTUNISTIC
                    && ask.getNumContainers() > 0
                    && ask.getCapability() != null
                    && NodeDevices.needsDevices(YarnResources.vector(ask.getCapability()))
                    && context != null
                    && context.getScheduler() instanceof GangHost host
                    && host.knowsDevices()) {
                throw new InvalidResourceRequestException("treadle: ask " + ask.getAllocationRequestId() + " of "
                        + attempt + " is for opportunistic containers with GPUs (" + ask.getCapability()
                        + "); containers with GPUs are guaranteed.\nMaybe ask for GUARANTEED execution.");
            }
        }
        next().allocate(attempt, request, response);
    }

    @Override
    public void finishApplicationMaster(
            ApplicationAttemptId attempt,
            FinishApplicationMasterRequest request,
            FinishApplicationMasterResponse response) {
        next().finishApplicationMaster(attempt, request, response);
    }
}

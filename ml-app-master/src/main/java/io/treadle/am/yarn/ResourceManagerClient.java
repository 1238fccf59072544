// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.yarn;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerError;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.impl.AMRMClientImpl;
import org.apache.hadoop.yarn.exceptions.InvalidResourceRequestException;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * Hadoop's client of the ResourceManager, which also passes on what that leaves out: refused container updates, and
 * whether the ResourceManager answers. Refused asks wait, and the heartbeat is sent without them. Heartbeats come from one
 * thread.
 */
public final class ResourceManagerClient extends AMRMClientImpl<ContainerRequest> {
    /** Hears of container updates that the ResourceManager refuses. Called by the thread of the heartbeats. */
    public interface Refusals {
        void onUpdatesRefused(List<UpdateContainerError> errors);
    }

    private final Refusals refusals;
    private final RmLink link;
    private int depth;
    private boolean again;

    public ResourceManagerClient(Refusals refusals, RmLink link) {
        this.refusals = refusals;
        this.link = link;
    }

    /** @param rm what is called in place of a connection */
    ResourceManagerClient(Refusals refusals, RmLink link, ApplicationMasterProtocol rm) {
        this(refusals, link);
        this.rmClient = rm;
    }

    @Override
    public AllocateResponse allocate(float progress) throws YarnException, IOException {
        // A ResourceManager that does not know the application makes Hadoop's client register and call this again.
        again = depth > 0;
        depth++;
        AllocateResponse response;
        try {
            response = link.refusedAsks().mayBeSent() ? withAsks(progress) : withoutAsks(progress);
        } finally {
            depth--;
        }
        if (depth == 0) {
            link.answered(again);
            if (!response.getUpdateErrors().isEmpty()) {
                refusals.onUpdatesRefused(response.getUpdateErrors());
            }
        }
        return response;
    }

    /**
     * One ask that is larger than every registered node makes the ResourceManager refuse the whole call, with its releases
     * and updates.
     */
    private AllocateResponse withAsks(float progress) throws YarnException, IOException {
        RefusedAsks refused = link.refusedAsks();
        AllocateResponse response;
        try {
            response = super.allocate(progress);
        } catch (InvalidResourceRequestException e) {
            refused.refused(e);
            return withoutAsks(progress);
        }
        // After a failover Hadoop's client makes a call within this one, whose asks may have been refused.
        if (refused.mayBeSent()) {
            refused.accepted();
        }
        return response;
    }

    /** Asks wait for a later call. They are not withdrawn: the ResourceManager checks the size of a withdrawn ask, too. */
    private AllocateResponse withoutAsks(float progress) throws YarnException, IOException {
        List<ResourceRequest> waiting;
        synchronized (this) {
            waiting = new ArrayList<>(ask);
            ask.clear();
        }
        try {
            return super.allocate(progress);
        } finally {
            synchronized (this) {
                // Newer counts stay: the set compares asks without their counts, and replaces none.
                ask.addAll(waiting);
            }
        }
    }
}

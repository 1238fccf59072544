// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.records.ApplicationStateData;

/** What a ResourceManager writes down for the one after it. It is written at once, on the caller's thread. */
final class SimulatedStore extends MemoryRMStateStore {
    @Override
    @SuppressWarnings("rawtypes") // As Hadoop declares it.
    protected EventHandler getRMStateStoreEventHandler() {
        return rmStateStoreEventHandler;
    }

    /** A real store keeps what was submitted; a ResourceManager forgets part of it in memory when an application ends. */
    void complete(ContainerLaunchContext nothingToStart) {
        for (ApplicationStateData stored : getState().getApplicationState().values()) {
            if (stored.getApplicationSubmissionContext().getAMContainerSpec() == null) {
                stored.getApplicationSubmissionContext().setAMContainerSpec(nothingToStart);
            }
        }
    }
}

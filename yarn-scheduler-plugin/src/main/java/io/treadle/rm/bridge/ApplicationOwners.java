// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.rm.gang.Gang;
import io.treadle.rm.gang.GangTable;
import io.treadle.rm.power.Owner;
import io.treadle.rm.power.Owners;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/** Jobs of Treadle by their gangs, other applications by what YARN knows of them. */
public final class ApplicationOwners implements Owners {
    private final GangTable gangs;
    private final SchedulerAccess scheduler;
    private final RMContext context;

    public ApplicationOwners(GangTable gangs, SchedulerAccess scheduler, RMContext context) {
        this.gangs = gangs;
        this.scheduler = scheduler;
        this.context = context;
    }

    @Override
    public Optional<Owner> of(String application) {
        ApplicationId id = ApplicationId.fromString(application);
        Optional<Gang> gang = gangs.find(id);
        if (gang.isPresent()) {
            return Optional.of(
                    new Owner(application, gang.get().user(), gang.get().queue()));
        }
        RMApp app = context.getRMApps().get(id);
        if (app == null || RMAppImpl.isAppInFinalState(app)) {
            return Optional.empty();
        }
        // YARN knows a queue by its last name where that is the only one of it. An application that runs has its queue
        // itself.
        String queue = scheduler
                .app(id)
                .<CSQueue>map(FiCaSchedulerApp::getCSLeafQueue)
                .or(() -> scheduler.queue(app.getQueue()))
                .map(CSQueue::getQueuePath)
                .orElse(app.getQueue());
        return Optional.of(new Owner(application, app.getUser(), queue));
    }
}

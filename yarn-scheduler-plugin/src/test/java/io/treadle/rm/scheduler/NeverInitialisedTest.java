// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppRemovedSchedulerEvent;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.junit.jupiter.api.Test;

/** A scheduler that is used without being initialised, as Hadoop's tests of its queues do, is CapacityScheduler. */
class NeverInitialisedTest {
    private final TreadleScheduler scheduler = new TreadleScheduler();

    @Test
    void commitsAsCapacityScheduler() {
        var nothing = new ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode>(List.of(), List.of(), List.of());
        assertFalse(scheduler.tryCommit(Resources.none(), nothing, true));
    }

    /** It knows no applications, and CapacityScheduler says so in its way. */
    @Test
    void handlesEventsAsCapacityScheduler() {
        var event = new AppRemovedSchedulerEvent(ApplicationId.newInstance(1, 1), RMAppState.FINISHED);
        var stock = assertThrows(NullPointerException.class, () -> new CapacityScheduler().handle(event));
        var ours = assertThrows(NullPointerException.class, () -> scheduler.handle(event));
        assertEquals(stock.getMessage(), ours.getMessage());
    }

    @Test
    void knowsOfNoDevices() {
        assertFalse(scheduler.knowsDevices());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import java.lang.reflect.Field;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.DecommissioningNodesWatcher;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.RMAppManager;
import org.apache.hadoop.yarn.server.resourcemanager.RMContextImpl;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceTrackerService;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity.ProportionalCapacityPreemptionPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.RMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;

/** Hadoop's ResourceManager whose events wait for the simulation, and whose times and ids are the same in every run. */
final class SteppedResourceManager {
    /** Far in the future: for ten minutes after its start the ResourceManager keeps releases of containers that it does not know. */
    private static final long STAMP = 4_000_000_000_000L;

    private SteppedResourceManager() {}

    static MockRM create(
            YarnConfiguration conf,
            RMStateStore store,
            SimulatedTime time,
            Function<Configuration, ? extends ResourceScheduler> schedulers) {
        // Its constructor calls these methods: what they use must be there before it begins.
        return new MockRM(conf, store) {
            @Override
            protected Dispatcher createDispatcher() {
                return new SteppedDispatcher();
            }

            @Override
            protected ResourceScheduler createScheduler() {
                return schedulers.apply(getConfig());
            }

            @Override
            protected RMAppManager createRMAppManager() {
                return new RMAppManager(rmContext, this.scheduler, masterService, applicationACLsManager, getConfig()) {
                    @Override
                    protected void submitApplication(
                            ApplicationSubmissionContext context, long submitTime, UserGroupInformation user)
                            throws YarnException {
                        super.submitApplication(context, time.millis(), user);
                    }
                };
            }

            @Override
            protected void serviceInit(Configuration configuration) throws Exception {
                super.serviceInit(configuration);
                ((RMContextImpl) getRMContext()).setSystemClock(time);
            }
        };
    }

    /** @param count how many there were before, and this one */
    static void start(MockRM resourceManager, int count) throws ReflectiveOperationException {
        // MockRM's constructor turns on DEBUG for everything.
        org.apache.log4j.Logger.getRootLogger().setLevel(org.apache.log4j.Level.INFO);
        resourceManager.start();
        // Ids of applications would differ in each run, and the order of hash maps with them.
        Field stamp = ResourceManager.class.getDeclaredField("clusterTimeStamp");
        stamp.setAccessible(true);
        stamp.setLong(null, STAMP + count);
        resourceManager.drainEvents();
    }

    /** MockRM leaves the thread that watches nodes which are decommissioned, and all of the ResourceManager with it. */
    static void stop(MockRM resourceManager) {
        resourceManager.stop();
        try {
            Field watcher = ResourceTrackerService.class.getDeclaredField("decommissioningWatcher");
            watcher.setAccessible(true);
            ((DecommissioningNodesWatcher) watcher.get(resourceManager.getResourceTrackerService())).stop();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static void setClock(ProportionalCapacityPreemptionPolicy policy, SimulatedTime time)
            throws ReflectiveOperationException {
        Field clock = ProportionalCapacityPreemptionPolicy.class.getDeclaredField("clock");
        clock.setAccessible(true);
        clock.set(policy, time);
    }
}

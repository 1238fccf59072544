// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.apache.hadoop.service.Service.STATE;
import org.apache.hadoop.yarn.LocalConfigurationProvider;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContextImpl;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.NullRMNodeLabelsManager;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.junit.jupiter.api.Test;

/** Some of Hadoop's tests make a context without a configuration: CapacityScheduler comes up in it, and so does ours. */
class BareContextTest {
    @Test
    void comesUpInContextWithoutConfiguration() throws Exception {
        YarnConfiguration configuration = SchedulerHarness.settings(false, "fifo");
        // Hadoop keeps those of the test before.
        ResourceUtils.resetResourceTypes(configuration);
        RMContextImpl context = new RMContextImpl();
        assertNull(context.getYarnConfiguration());
        context.setConfigurationProvider(new LocalConfigurationProvider());
        try (NullRMNodeLabelsManager labels = new NullRMNodeLabelsManager();
                TreadleScheduler scheduler = new TreadleScheduler()) {
            labels.init(configuration);
            context.setNodeLabelManager(labels);
            scheduler.setConf(configuration);
            scheduler.setRMContext(context);
            scheduler.init(configuration);
            assertEquals(STATE.INITED, scheduler.getServiceState());
        }
    }
}

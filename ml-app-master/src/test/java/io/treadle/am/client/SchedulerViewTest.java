// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchedulerViewTest {
    private static final String POWER = "/ws/v1/treadle/power";

    private static SchedulerView of(FakeResourceManager manager) {
        YarnConfiguration conf = new YarnConfiguration();
        conf.set("yarn.resourcemanager.webapp.address", manager.address());
        return new SchedulerView(new ResourceManagerRest(conf, new WebConnections(conf)));
    }

    /** What is too large for the nodes of now is the scheduler's to refuse where there may be more. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'mayGrow': 'nodes may still register'} | {'asleep': [], 'asleepKnown': true}  | true",
                "{'mayGrow': ''}                         | {'asleep': [], 'asleepKnown': true}  | false",
                "{}                                      | {'asleep': [], 'asleepKnown': true}  | false",
                "{'mayGrow': ''}                         | {'asleep': [{}], 'asleepKnown': true}| true",
                "{'mayGrow': ''}                         | {'asleep': [], 'asleepKnown': false} | true",
            },
            quoteCharacter = '~')
    void clusterMayGrow(String planner, String power, boolean mayGrow) throws Exception {
        try (FakeResourceManager manager = new FakeResourceManager()) {
            manager.answers("/ws/v1/treadle/planner", planner.replace('\'', '"'));
            manager.answers(POWER, power.replace('\'', '"'));
            assertEquals(mayGrow, of(manager).mayGrow());
        }
    }

    @Test
    void whereNobodyKnowsTheNodesOfNowAreAll() throws Exception {
        try (FakeResourceManager manager = new FakeResourceManager()) {
            assertFalse(of(manager).mayGrow());
        }
    }
}

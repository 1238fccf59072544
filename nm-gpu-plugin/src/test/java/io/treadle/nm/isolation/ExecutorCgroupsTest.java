// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.ResourceHandler;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.ResourceHandlerException;
import org.junit.jupiter.api.Test;

class ExecutorCgroupsTest {
    @Test
    void everyHandlerIsToldEvenIfOneFails() throws ResourceHandlerException {
        ResourceHandler cpu = mock(ResourceHandler.class);
        ResourceHandler memory = mock(ResourceHandler.class);
        Container container = mock(Container.class);
        when(cpu.updateContainer(any())).thenThrow(new ResourceHandlerException("no such cgroup"));
        new ExecutorCgroups(() -> List.of(cpu, memory), 0).apply(container);
        verify(cpu).updateContainer(container);
        verify(memory).updateContainer(container);
    }

    @Test
    void withoutCgroupsThereIsNothingToDo() {
        ExecutorCgroups.ofNodeManager(new Configuration(false)).apply(mock(Container.class));
    }
}

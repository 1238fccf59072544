// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.wire.DeviceTag;
import io.treadle.nm.device.Grant;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ResourceMappings.AssignedResources;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMNullStateStoreService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What NodeManagerRestartTest does not show: entries that cannot be read, and a store that fails. */
class GrantStoreTest {
    private final NodeFixture node;
    private final ContainerImpl container;

    GrantStoreTest(@TempDir Path directory) {
        this.node = new NodeFixture(
                NodeFixture.simulated(directory, "1xT4:15360:70"),
                new NMNullStateStoreService(),
                directory.resolve("control"));
        this.container = node.create(NodeFixture.token(1, 0, NodeFixture.resource(1, Map.of())));
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void entriesThatAreNoDeviceTagsArePassedOver() throws IOException {
        AssignedResources assigned = new AssignedResources();
        assigned.updateAssignedResources(List.of("treadle.dev.GPU-a.all", "treadle.dev.", 7, "treadle.dev.GPU-b.900"));
        container.getResourceMappings().addAssignedResources(GrantStore.KEY, assigned);
        assertEquals(
                List.of(DeviceTag.whole("GPU-a"), DeviceTag.slice("GPU-b", 900)),
                new GrantStore(new NMNullStateStoreService()).load(container));
        new GrantStore(new NMNullStateStoreService()).forget(container);
        assertEquals(List.of(), new GrantStore(new NMNullStateStoreService()).load(container));
    }

    @Test
    void storeOnAFullDiskIsNoFailureOfTheContainer() {
        GrantStore full = new GrantStore(new NMNullStateStoreService() {
            @Override
            public void storeAssignedResources(Container c, String resourceType, List<Serializable> resources)
                    throws IOException {
                throw new IOException("No space left on device");
            }
        });
        full.save(container, List.of(new Grant("GPU-a", 100, true, Grant.State.READY)));
        assertEquals(List.of(), full.load(container));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import io.treadle.core.wire.DeviceTag;
import io.treadle.core.wire.WireFormatException;
import io.treadle.nm.device.Grant;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ResourceMappings;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMStateStoreService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps containers' devices in the NodeManager's own state store, as plain strings in the form of device tags: the store
 * is read by Java serialisation, and classes of ours would have to stay on the class path for ever.
 */
final class GrantStore {
    static final String KEY = "treadle.io/devices";

    private static final Logger LOG = LoggerFactory.getLogger(GrantStore.class);

    private final NMStateStoreService store;

    GrantStore(NMStateStoreService store) {
        this.store = store;
    }

    void save(Container container, List<Grant> grants) {
        List<Serializable> tags = new ArrayList<>();
        grants.forEach(grant -> tags.add(grant.tag().format()));
        try {
            store.storeAssignedResources(container, KEY, tags);
        } catch (IOException e) {
            LOG.error(
                    "cannot store the devices of {}: {}; they are chosen anew if the NodeManager restarts",
                    container.getContainerId(),
                    e.toString());
        }
    }

    /** What was stored before the NodeManager restarted; empty for a container that is new or has no devices. */
    List<DeviceTag> load(Container container) {
        List<DeviceTag> tags = new ArrayList<>();
        for (Serializable item : container.getResourceMappings().getAssignedResources(KEY)) {
            try {
                DeviceTag.parse(item.toString()).ifPresent(tags::add);
            } catch (WireFormatException e) {
                LOG.error("state store, {}: {}", container.getContainerId(), e.getMessage());
            }
        }
        return tags;
    }

    void forget(Container container) {
        container.getResourceMappings().addAssignedResources(KEY, new ResourceMappings.AssignedResources());
        try {
            store.releaseAssignedResources(container.getContainerId(), KEY);
        } catch (IOException e) {
            LOG.debug("cannot forget the devices of {}", container.getContainerId(), e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.resourceplugin.ResourcePlugin;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.resourceplugin.ResourcePluginManager;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.resourceplugin.deviceframework.DeviceMappingManager;
import org.jspecify.annotations.Nullable;

/** The NodeManager's resource plugins, which are initialised already, and one more. */
final class ExtendedPlugins extends ResourcePluginManager {
    /** Hadoop shows plugins by name at {@code /ws/v1/node/resources}. */
    private static final String NAME = "treadle.io/docker-devices";

    private final @Nullable ResourcePluginManager others;
    private final ResourcePlugin further;

    /** @param others null in a NodeManager that has none yet */
    ExtendedPlugins(@Nullable ResourcePluginManager others, ResourcePlugin further) {
        this.others = others;
        this.further = further;
    }

    @Override
    public synchronized Map<String, ResourcePlugin> getNameToPlugins() {
        Map<String, ResourcePlugin> plugins = new LinkedHashMap<>();
        // Null where the admin has configured no plugin.
        if (others != null && others.getNameToPlugins() != null) {
            plugins.putAll(others.getNameToPlugins());
        }
        plugins.put(NAME, further);
        return plugins;
    }

    @Override
    public @Nullable DeviceMappingManager getDeviceMappingManager() {
        return others == null ? null : others.getDeviceMappingManager();
    }

    @Override
    public void cleanup() throws YarnException {
        if (others != null) {
            others.cleanup();
        }
    }
}

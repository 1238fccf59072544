// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts what was discovered into the NodeManager's configuration, from which it registers its capacity a little later.
 * The admin's own values, there or in {@code node-resources.xml}, win.
 */
public final class CapacityAdvertiser {
    static final String KEY_PREFIX = "yarn.nodemanager.resource-type.";

    private static final Logger LOG = LoggerFactory.getLogger(CapacityAdvertiser.class);

    private CapacityAdvertiser() {}

    /** Advertises the types among {@code capacity} that {@code yarn.resource-types} declares. */
    public static void advertise(Map<String, String> capacity, Configuration conf) {
        Configuration nodeResources = nodeResources(conf);
        capacity.forEach((type, discovered) -> {
            String key = KEY_PREFIX + type;
            String admins = conf.getTrimmed(key, nodeResources.getTrimmed(key, ""));
            if (!ResourceUtils.getResourceTypes().containsKey(type)) {
                LOG.info(
                        "{}: discovered {}, not advertised: yarn.resource-types does not declare it", type, discovered);
            } else if (!admins.isEmpty()) {
                LOG.info("{}: discovered {}, advertising {} as {} says", type, discovered, admins, key);
            } else {
                LOG.info("{}: advertising {}, as discovered", type, discovered);
                conf.set(key, discovered, "treadle");
            }
        });
        // Hadoop caches the parsed values in a static, and several NodeManagers may share this JVM.
        ResourceUtils.resetNodeResources();
    }

    private static Configuration nodeResources(Configuration conf) {
        Configuration nodeResources = new Configuration(false);
        try (InputStream in = conf.getConfResourceAsInputStream(YarnConfiguration.NODE_RESOURCES_CONFIGURATION_FILE)) {
            if (in != null) {
                nodeResources.addResource(in, YarnConfiguration.NODE_RESOURCES_CONFIGURATION_FILE);
                nodeResources.size(); // Parses now, while the stream is open.
            }
        } catch (IOException e) {
            LOG.warn("cannot close {}", YarnConfiguration.NODE_RESOURCES_CONFIGURATION_FILE, e);
        }
        return nodeResources;
    }
}

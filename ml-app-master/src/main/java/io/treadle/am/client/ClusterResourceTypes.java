// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.api.records.ResourceTypeInfo;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Writes a cluster's resource types into a configuration that may lack them. */
final class ClusterResourceTypes {
    private ClusterResourceTypes() {}

    static void addTo(Configuration conf, List<ResourceTypeInfo> types) {
        Set<String> names = new LinkedHashSet<>(conf.getTrimmedStringCollection(YarnConfiguration.RESOURCE_TYPES));
        for (ResourceTypeInfo type : types) {
            String name = type.getName();
            boolean builtIn =
                    name.equals(ResourceInformation.MEMORY_URI) || name.equals(ResourceInformation.VCORES_URI);
            if (!builtIn && names.add(name)) {
                conf.set(YarnConfiguration.RESOURCE_TYPES + "." + name + ".units", type.getDefaultUnit());
            }
        }
        if (!names.isEmpty()) {
            conf.set(YarnConfiguration.RESOURCE_TYPES, String.join(",", names));
        }
    }
}

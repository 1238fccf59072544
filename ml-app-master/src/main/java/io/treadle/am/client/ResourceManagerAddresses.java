// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.webapp.util.WebAppUtils;

/**
 * Web addresses of the cluster's ResourceManagers. No ResourceManager is asked whether it is the active one: only
 * administrators may ask that, and YARN's audit log notes each refusal. A standby redirects to the active one.
 */
final class ResourceManagerAddresses {
    private ResourceManagerAddresses() {}

    /** With scheme and port, without a slash at the end; in the order of the configuration, at least one. */
    static List<String> of(Configuration conf) {
        if (!HAUtil.isHAEnabled(conf)) {
            return List.of(WebAppUtils.getRMWebAppURLWithScheme(conf));
        }
        List<String> addresses = new ArrayList<>();
        int count = HAUtil.getRMHAIds(conf).size();
        for (int i = 0; i < count; i++) {
            addresses.add(WebAppUtils.getRMWebAppURLWithScheme(conf, i));
        }
        return addresses;
    }
}

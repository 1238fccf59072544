// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.process;

import io.treadle.am.web.AmServer;
import io.treadle.am.web.ProxyGate;
import io.treadle.am.yarn.AmCredentials;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAccessType;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.webapp.util.WebAppUtils;

/**
 * What an ApplicationMaster finds when it starts.
 *
 * @param containerId its own
 * @param host its own, as its node names it
 * @param server its pages, and the calls of what it runs
 */
public record AppMasterContext(
        Configuration configuration,
        ContainerId containerId,
        String user,
        AmCredentials credentials,
        Staging staging,
        String host,
        AmServer server) {
    public String applicationId() {
        return containerId.getApplicationAttemptId().getApplicationId().toString();
    }

    /** Of this ApplicationMaster among those of the application; from 1. */
    public int attempt() {
        return containerId.getApplicationAttemptId().getAttemptId();
    }

    /** {@code host:port} of the server. */
    public String address() {
        return host + ":" + server.port();
    }

    /**
     * Lets those see its pages who come through the ResourceManager's proxy and may view the application.
     *
     * @param acls of the application, as the ResourceManager tells them
     */
    public ProxyGate proxyGate(Map<ApplicationAccessType, String> acls) {
        List<String> proxies = WebAppUtils.getProxyHostsAndPortsForAmFilter(configuration);
        return new ProxyGate(
                proxies.stream()
                        .map(proxy -> proxy.substring(0, proxy.lastIndexOf(':')))
                        .toList(),
                WebAppUtils.getHttpSchemePrefix(configuration) + proxies.get(0) + "/proxy/" + applicationId(),
                ViewAcl.of(new YarnConfiguration(), configuration, user, acls));
    }
}

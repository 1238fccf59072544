// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.webapp.util.WebAppUtils;

/** Where an ApplicationMaster's page is reached through the proxy. */
final class TrackingUrl {
    private TrackingUrl() {}

    /** The address, ending in a slash; empty while there is none. */
    static Optional<String> of(ApplicationReport report, Configuration conf) {
        String url = report.getTrackingUrl();
        if (url == null || !url.startsWith("http")) {
            return Optional.empty();
        }
        String reachable = hasPort(url)
                ? url
                : WebAppUtils.getRMWebAppURLWithScheme(conf) + URI.create(url).getPath();
        return Optional.of(reachable.endsWith("/") ? reachable : reachable + "/");
    }

    /** A ResourceManager on a port that it chose itself, as embedded ones are, reports the port 0 for its proxy. */
    private static boolean hasPort(String url) {
        return URI.create(url).getPort() != 0;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.RMWebApp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts {@code /ws/v1/treadle} beside the ResourceManager's own services. It reads what to serve from its configuration
 * when it starts its web server, which is after the scheduler is initialised. The resources are the same with every
 * Hadoop; 3.5 takes them from a feature of Jersey 2, and 3.4, with Jersey 1, looks for them among what Guice knows.
 */
public final class WebServices {
    private static final Logger LOG = LoggerFactory.getLogger(WebServices.class);
    private static final String CUSTOM = "yarn.webapp.custom.webservice.class";
    private static final String EXTERNAL = "yarn.http.rmwebapp.external.classes";
    private static final String FEATURE = "io.treadle.rm.web.TreadleWebFeature";
    private static final List<String> RESOURCES = List.of(
            "io.treadle.rm.web.TreadleResource",
            "io.treadle.rm.web.ProfilesResource",
            "io.treadle.rm.web.PowerResource");

    private WebServices() {}

    /** @param configuration the ResourceManager's, before its web server starts */
    public static void addTo(Configuration configuration) {
        addTo(configuration, hasJersey2());
    }

    static void addTo(Configuration configuration, boolean jersey2) {
        String custom = configuration.getTrimmed(CUSTOM, "");
        if (jersey2) {
            if (custom.isEmpty()) {
                configuration.set(CUSTOM, FEATURE);
            } else if (!custom.equals(FEATURE)) {
                LOG.warn(
                        "There is no /ws/v1/treadle: {} is {}, and names one class alone. Maybe let that class"
                                + " register {} too, or leave the setting out",
                        CUSTOM,
                        custom,
                        FEATURE);
            }
            return;
        }
        if (custom.equals(FEATURE)) {
            // Set for a newer Hadoop: this one could not even load the class.
            configuration.unset(CUSTOM);
        }
        List<String> classes = new ArrayList<>(configuration.getTrimmedStringCollection(EXTERNAL));
        RESOURCES.stream().filter(resource -> !classes.contains(resource)).forEach(classes::add);
        configuration.setStrings(EXTERNAL, classes.toArray(String[]::new));
    }

    /** Asked of Hadoop's own class: a cluster may have newer libraries beside Hadoop's. */
    private static boolean hasJersey2() {
        return Arrays.stream(RMWebApp.class.getMethods())
                .anyMatch(method -> method.getName().equals("resourceConfig"));
    }
}

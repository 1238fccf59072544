// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import javax.ws.rs.core.Feature;
import javax.ws.rs.core.FeatureContext;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.RMWebServices;

/**
 * Adds {@code /ws/v1/treadle} beside the ResourceManager's own services, with Hadoop 3.5 and newer. Named in
 * {@code yarn.webapp.custom.webservice.class}, whose value replaces the stock class: it is registered here again. Of all
 * classes this one alone cannot be loaded with Hadoop 3.4, and is not.
 */
public final class TreadleWebFeature implements Feature {
    @Override
    public boolean configure(FeatureContext context) {
        context.register(RMWebServices.class);
        context.register(TreadleResource.class);
        context.register(ProfilesResource.class);
        context.register(PowerResource.class);
        return true;
    }
}

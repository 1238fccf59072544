// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.yarn.server.resourcemanager.webapp;

import com.google.inject.Inject;
import io.treadle.rm.web.TreadleJobBlock;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.webapp.Controller;

/** Serves {@code /cluster/treadle} and {@code /cluster/treadle/job/<application id>}. */
public final class TreadleController extends Controller {
    private final ResourceManager resourceManager;

    @Inject
    TreadleController(RequestContext context, ResourceManager resourceManager) {
        super(context);
        this.resourceManager = resourceManager;
    }

    @Override
    public void index() {
        setTitle("Treadle");
        render(TreadlePage.class);
    }

    /** The router finds this by the path's second part. */
    public void job() {
        setTitle("Treadle: " + TreadleJobBlock.id(request()));
        setStatus(TreadleJobBlock.status(resourceManager, request()));
        render(TreadleJobPage.class);
    }
}

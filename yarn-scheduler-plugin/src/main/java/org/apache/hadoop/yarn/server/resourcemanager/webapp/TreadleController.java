// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.yarn.server.resourcemanager.webapp;

import com.google.inject.Inject;
import org.apache.hadoop.yarn.webapp.Controller;

/** Serves {@code /cluster/treadle}. */
public final class TreadleController extends Controller {
    @Inject
    TreadleController(RequestContext context) {
        super(context);
    }

    @Override
    public void index() {
        setTitle("Treadle");
        render(TreadlePage.class);
    }
}

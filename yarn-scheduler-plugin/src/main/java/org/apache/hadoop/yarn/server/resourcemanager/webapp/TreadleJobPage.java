// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.yarn.server.resourcemanager.webapp;

import io.treadle.rm.web.TreadleJobBlock;
import org.apache.hadoop.yarn.webapp.SubView;

/** The page of one job in the ResourceManager's own frame. */
public final class TreadleJobPage extends TreadlePage {
    @Override
    protected Class<? extends SubView> content() {
        return TreadleJobBlock.class;
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.yarn.server.resourcemanager.webapp;

import io.treadle.rm.web.TreadleBlock;
import org.apache.hadoop.yarn.webapp.SubView;
import org.apache.hadoop.yarn.webapp.hamlet2.Hamlet;

/** Treadle's page in the ResourceManager's own frame. */
public class TreadlePage extends RmView {
    @Override
    protected void preHead(Hamlet.HTML<__> html) {
        commonPreHead(html);
        html.meta("viewport", "width=device-width, initial-scale=1");
        // Else browsers ask for one that the ResourceManager does not have.
        html.link().$rel("icon").$href("data:,").__();
    }

    @Override
    protected Class<? extends SubView> content() {
        return TreadleBlock.class;
    }
}

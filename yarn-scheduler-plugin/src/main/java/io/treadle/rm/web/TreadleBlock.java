// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import com.google.inject.Inject;
import io.treadle.rm.scheduler.TreadleScheduler;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.webapp.view.HtmlBlock;

/** Queues, jobs and nodes, in the ResourceManager's frame. */
public final class TreadleBlock extends HtmlBlock {
    private final ResourceManager resourceManager;

    @Inject
    TreadleBlock(ResourceManager resourceManager, ViewContext context) {
        super(context);
        this.resourceManager = resourceManager;
    }

    @Override
    protected void render(Block html) {
        if (!(resourceManager.getResourceScheduler() instanceof TreadleScheduler scheduler)) {
            html.p().__(JobAnswer.otherScheduler()).__();
            return;
        }
        Map<String, String> parameters = new HashMap<>();
        Sorting.parameters(ClusterPage.TABLES).forEach(name -> parameters.put(name, $(name)));
        ClusterView view = ClusterView.of(
                scheduler,
                new Viewer(resourceManager, request()),
                id -> JobAnswer.finalStatus(
                        resourceManager.getRMContext().getRMApps().get(id)),
                System.currentTimeMillis());
        html.div()
                ._r(PageStyle.ELEMENT + ClusterPage.render(view, this::url, parameters))
                .__();
    }
}

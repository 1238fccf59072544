// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import com.google.inject.Inject;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.webapp.view.HtmlBlock;

/** One job, in the ResourceManager's frame. */
public final class TreadleJobBlock extends HtmlBlock {
    private final ResourceManager resourceManager;

    @Inject
    TreadleJobBlock(ResourceManager resourceManager, ViewContext context) {
        super(context);
        this.resourceManager = resourceManager;
    }

    /** The HTTP status of the page that is asked for. */
    public static int status(ResourceManager resourceManager, HttpServletRequest request) {
        return JobAnswer.find(resourceManager, request, id(request)).status();
    }

    /** What follows the page's own path: the router passes on no more than the path. */
    public static String id(HttpServletRequest request) {
        String path = request.getPathInfo() == null ? "" : request.getPathInfo();
        return path.replaceFirst("^/treadle/job/?", "");
    }

    @Override
    protected void render(Block html) {
        JobAnswer answer = JobAnswer.find(resourceManager, request(), id(request()));
        html.div()
                ._r(PageStyle.ELEMENT + JobPage.render(answer, this::url, System.currentTimeMillis()))
                .__();
    }
}

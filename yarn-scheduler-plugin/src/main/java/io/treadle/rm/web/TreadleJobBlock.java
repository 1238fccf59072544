// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import com.google.inject.Inject;
import java.util.HashMap;
import java.util.Map;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.webapp.view.HtmlBlock;

/** One job, in the ResourceManager's frame. */
public final class TreadleJobBlock extends HtmlBlock {
    private static final String ANSWER = JobAnswer.class.getName();

    private final ResourceManager resourceManager;

    @Inject
    TreadleJobBlock(ResourceManager resourceManager, ViewContext context) {
        super(context);
        this.resourceManager = resourceManager;
    }

    /** The HTTP status of the page that is asked for. */
    public static int status(ResourceManager resourceManager, HttpServletRequest request) {
        return answer(resourceManager, request).status();
    }

    /** Found once for each request: the status and the page are asked for one after the other. */
    private static JobAnswer answer(ResourceManager resourceManager, HttpServletRequest request) {
        if (request.getAttribute(ANSWER) instanceof JobAnswer known) {
            return known;
        }
        JobAnswer answer = JobAnswer.find(resourceManager, request, id(request));
        request.setAttribute(ANSWER, answer);
        return answer;
    }

    /** What follows the page's own path: the router passes on no more than the path. */
    public static String id(HttpServletRequest request) {
        String path = request.getPathInfo() == null ? "" : request.getPathInfo();
        return path.replaceFirst("^/treadle/job/?", "");
    }

    @Override
    protected void render(Block html) {
        Map<String, String> parameters = new HashMap<>();
        Sorting.parameters(JobPage.TABLES).forEach(name -> parameters.put(name, $(name)));
        JobAnswer answer = answer(resourceManager, request());
        html.div()
                ._r(PageStyle.ELEMENT + JobPage.render(answer, this::url, System.currentTimeMillis(), parameters))
                .__();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.rm.bridge.StatusReport;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.scheduler.TreadleScheduler;
import java.util.List;
import javax.inject.Inject;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.DefaultValue;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/** REST of the scheduler, as JSON (spec: {@code docs/spec/rm-rest.md}). Jobs that the caller may not view are left out. */
@Path("/ws/v1/treadle")
@Produces(MediaType.APPLICATION_JSON)
public final class TreadleResource {
    private final ResourceManager resourceManager;

    @Inject
    public TreadleResource(ResourceManager resourceManager) {
        this.resourceManager = resourceManager;
    }

    @GET
    @Path("jobs")
    public String jobs(
            @Context HttpServletRequest request,
            @QueryParam("limit") @DefaultValue("") String limit,
            @QueryParam("offset") @DefaultValue("") String offset) {
        PageOf page = PageOf.asked(limit, offset);
        TreadleScheduler scheduler = scheduler();
        StatusReport report = scheduler.report();
        List<Gang> visible = scheduler.gangs().all().stream()
                .filter(new Viewer(resourceManager, request)::mayView)
                .toList();
        List<StatusReport.Job> shown =
                page.of(visible).stream().map(report::job).toList();
        return StatusJson.jobs(shown, page, visible.size(), scheduler::policyName, scheduler.power()::job);
    }

    @GET
    @Path("jobs/{id}")
    public String job(
            @Context HttpServletRequest request,
            @PathParam("id") String id,
            @QueryParam("limit") @DefaultValue("") String limit,
            @QueryParam("offset") @DefaultValue("") String offset) {
        PageOf page = PageOf.asked(limit, offset);
        JobAnswer answer = JobAnswer.find(resourceManager, request, id);
        if (answer instanceof JobAnswer.Found found) {
            return StatusJson.job(found, page);
        }
        String message = ((JobAnswer.Refused) answer).message();
        throw switch (answer.status()) {
            case 400 -> HttpErrors.badRequest(message);
            case 403 -> HttpErrors.forbidden(message);
            default -> HttpErrors.notFound(message);
        };
    }

    @GET
    @Path("nodes")
    public String nodes(
            @Context HttpServletRequest request,
            @QueryParam("limit") @DefaultValue("") String limit,
            @QueryParam("offset") @DefaultValue("") String offset) {
        PageOf page = PageOf.asked(limit, offset);
        return StatusJson.nodes(scheduler().report().nodes(), page, new Viewer(resourceManager, request).containers());
    }

    @GET
    @Path("queues")
    public String queues() {
        TreadleScheduler scheduler = scheduler();
        StatusReport report = scheduler.report();
        List<Gang> gangs = scheduler.gangs().all();
        return StatusJson.queues(report.queues(gangs), scheduler::policyName, scheduler.admissions());
    }

    @GET
    @Path("planner")
    public String planner() {
        return StatusJson.planner(scheduler().planner(), scheduler().mayGrow());
    }

    private TreadleScheduler scheduler() {
        if (resourceManager.getResourceScheduler() instanceof TreadleScheduler scheduler) {
            return scheduler;
        }
        throw HttpErrors.notFound(JobAnswer.otherScheduler());
    }
}

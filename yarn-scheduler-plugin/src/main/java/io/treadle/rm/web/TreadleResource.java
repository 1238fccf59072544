// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.rm.bridge.StatusReport;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.scheduler.TreadleScheduler;
import java.util.List;
import javax.inject.Inject;
import javax.inject.Named;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationAccessType;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.webapp.BadRequestException;
import org.apache.hadoop.yarn.webapp.NotFoundException;
import org.jspecify.annotations.Nullable;

/** REST of the scheduler, as JSON (spec: {@code docs/spec/rm-rest.md}). Jobs that the caller may not view are left out. */
@Path("/ws/v1/treadle")
@Produces(MediaType.APPLICATION_JSON)
public final class TreadleResource {
    private final ResourceManager resourceManager;

    @Inject
    public TreadleResource(@Named("rm") ResourceManager resourceManager) {
        this.resourceManager = resourceManager;
    }

    @GET
    @Path("jobs")
    public String jobs(@Context HttpServletRequest request) {
        TreadleScheduler scheduler = scheduler();
        StatusReport report = scheduler.report();
        List<StatusReport.Job> visible = scheduler.gangs().all().stream()
                .filter(gang -> mayView(request, gang))
                .map(report::job)
                .toList();
        return StatusJson.jobs(visible, scheduler::policyName);
    }

    @GET
    @Path("jobs/{id}")
    public String job(@Context HttpServletRequest request, @PathParam("id") String id) {
        TreadleScheduler scheduler = scheduler();
        ApplicationId application;
        try {
            application = ApplicationId.fromString(id);
        } catch (IllegalArgumentException e) {
            throw new BadRequestException("'" + id + "' is no application id, such as application_1700000000000_0001");
        }
        Gang gang = scheduler
                .gangs()
                .find(application)
                .filter(g -> mayView(request, g))
                .orElseThrow(() -> new NotFoundException("no job '" + id + "' that you may view is in the cluster"));
        return StatusJson.job(scheduler.report().job(gang), scheduler.policyName(gang.queue()));
    }

    @GET
    @Path("nodes")
    public String nodes() {
        return StatusJson.nodes(scheduler().report().nodes());
    }

    @GET
    @Path("queues")
    public String queues() {
        TreadleScheduler scheduler = scheduler();
        StatusReport report = scheduler.report();
        List<Gang> gangs = scheduler.gangs().all();
        return StatusJson.queues(
                report.leafQueues().stream()
                        .flatMap(path -> report.queue(path, gangs).stream())
                        .toList(),
                scheduler::policyName);
    }

    private TreadleScheduler scheduler() {
        if (resourceManager.getResourceScheduler() instanceof TreadleScheduler scheduler) {
            return scheduler;
        }
        throw new NotFoundException(
                "this ResourceManager runs another scheduler: set yarn.resourcemanager.scheduler.class to "
                        + TreadleScheduler.class.getName());
    }

    private boolean mayView(HttpServletRequest request, Gang gang) {
        return Access.mayView(resourceManager, callerOf(request), gang);
    }

    private static @Nullable UserGroupInformation callerOf(HttpServletRequest request) {
        String user = request.getRemoteUser();
        return user == null ? null : UserGroupInformation.createRemoteUser(user);
    }

    /** Who may see what, by YARN's own rules. */
    static final class Access {
        private Access() {}

        static boolean mayView(ResourceManager resourceManager, @Nullable UserGroupInformation caller, Gang gang) {
            return caller == null
                    ? !resourceManager.getApplicationACLsManager().areACLsEnabled()
                    : resourceManager
                            .getApplicationACLsManager()
                            .checkAccess(caller, ApplicationAccessType.VIEW_APP, gang.user(), gang.id());
        }
    }
}

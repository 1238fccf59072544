// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.rm.power.BudgetState;
import io.treadle.rm.power.BudgetsInForce;
import io.treadle.rm.power.ClusterPower;
import io.treadle.rm.power.PowerBudgets;
import io.treadle.rm.scheduler.TreadleScheduler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import javax.inject.Inject;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.Consumes;
import javax.ws.rs.DefaultValue;
import javax.ws.rs.GET;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.WebApplicationException;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the cluster draws and may draw, and who spent it (spec: {@code docs/spec/rm-rest.md}). */
@Path("/ws/v1/treadle/power")
@Produces(MediaType.APPLICATION_JSON)
public final class PowerResource {
    private static final Logger LOG = LoggerFactory.getLogger(PowerResource.class);

    private final ResourceManager resourceManager;

    @Inject
    public PowerResource(ResourceManager resourceManager) {
        this.resourceManager = resourceManager;
    }

    @GET
    public String report(
            @Context HttpServletRequest request,
            @QueryParam("history") @DefaultValue("day") String history,
            @QueryParam("limit") @DefaultValue("") String limit,
            @QueryParam("offset") @DefaultValue("") String offset) {
        if (!history.equals("day") && !history.equals("hour")) {
            throw HttpErrors.badRequest("history is '" + history + "', must be 'day' or 'hour'");
        }
        PageOf page = PageOf.asked(limit, offset);
        TreadleScheduler scheduler = scheduler();
        ClusterPower power = scheduler.power();
        Viewer viewer = new Viewer(resourceManager, request);
        return PowerJson.report(
                power.report(scheduler.report().leafQueues()),
                history.equals("hour")
                        ? power.history().lastHour()
                        : power.history().samples(),
                page,
                new PowerJson.Seen(viewer::mayView, viewer::maySeeEnergyOf, viewer.containers()));
    }

    @PUT
    @Path("budget")
    @Consumes(MediaType.APPLICATION_JSON)
    public String set(@Context HttpServletRequest request, InputStream body) throws IOException {
        Viewer viewer = new Viewer(resourceManager, request);
        if (!viewer.mayChangeCluster()) {
            throw HttpErrors.forbidden(
                    viewer.name() + " may not set power budgets: only YARN's administrators may (yarn.admin.acl)"
                            + viewer.whyNobody());
        }
        PowerBudgets budgets = scheduler().power().budgets();
        PowerChange change = change(body);
        change.queue().ifPresent(queue -> checkQueue(budgets, queue, change));
        boolean kept = set(budgets, change);
        LOG.info(
                "Budget of {} is set by {}: {}",
                change.queue().map(queue -> "queue " + queue).orElse("the cluster"),
                viewer.name(),
                Stream.concat(change.watts().stream(), change.energy().stream()).toList());
        BudgetsInForce now = budgets.now();
        OptionalDouble inForce = change.queue().map(now::limitWatts).orElseGet(now::clusterWatts);
        Optional<BudgetState> energy = change.queue().map(now::energy).orElseGet(now::clusterEnergy);
        return PowerJson.changed(change, inForce, energy, kept, budgets.warnings(now));
    }

    private static PowerChange change(InputStream body) throws IOException {
        try {
            return PowerChange.parse(new String(body.readNBytes(PowerChange.MOST_CHARACTERS), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw HttpErrors.badRequest(String.valueOf(e.getMessage()));
        }
    }

    /** What was set for a queue that is gone can still be taken back. */
    private static void checkQueue(PowerBudgets budgets, String queue, PowerChange change) {
        if (change.sets() && !budgets.queues().contains(queue)) {
            throw HttpErrors.badRequest("there is no queue '" + queue + "', must be the full path of one of: "
                    + String.join(", ", budgets.queues()));
        }
    }

    private static boolean set(PowerBudgets budgets, PowerChange change) {
        try {
            return budgets.set(change::appliedTo);
        } catch (IOException e) {
            throw new WebApplicationException(Response.status(Response.Status.SERVICE_UNAVAILABLE)
                    .entity(ProfilesJson.error(
                            "the power budget is not set, ZooKeeper cannot keep it now: " + e.getMessage()))
                    .type(MediaType.APPLICATION_JSON)
                    .build());
        }
    }

    private TreadleScheduler scheduler() {
        if (resourceManager.getResourceScheduler() instanceof TreadleScheduler scheduler) {
            return scheduler;
        }
        throw HttpErrors.notFound(JobAnswer.otherScheduler());
    }
}

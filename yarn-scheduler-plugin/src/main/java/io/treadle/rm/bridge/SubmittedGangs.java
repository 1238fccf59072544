// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.wire.GangSpec;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.gang.GangTable;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.placement.ApplicationPlacementContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what a submitted application says of its gang, refuses what can never run, and keeps the table of gangs. */
public final class SubmittedGangs {
    private static final Logger LOG = LoggerFactory.getLogger(SubmittedGangs.class);

    private final CapacityScheduler scheduler;
    private final RMContext context;
    private final SubmissionCheck check;
    private final GangTable gangs;

    public SubmittedGangs(CapacityScheduler scheduler, RMContext context, SubmissionCheck check, GangTable gangs) {
        this.scheduler = scheduler;
        this.context = context;
        this.check = check;
        this.gangs = gangs;
    }

    /**
     * Lets CapacityScheduler add the application, unless its gang is refused.
     *
     * @return the gang, where the application is one and was added
     */
    public Optional<Gang> add(AppAddedSchedulerEvent event, Runnable addToQueue) {
        ApplicationId id = event.getApplicationId();
        PlacementNames.replaceIn(context.getRMApps().get(id));
        Optional<GangSpec> spec;
        Optional<SubmissionCheck.Problem> problem = Optional.empty();
        try {
            spec = spec(id);
            if (spec.isPresent() && !event.getIsAppRecovering()) {
                problem = refuseWhatNeverFits(spec.get(), event);
            }
        } catch (IllegalArgumentException e) {
            if (!event.getIsAppRecovering()) {
                LOG.info("Application {} is refused: {}", id, e.getMessage());
                context.getDispatcher()
                        .getEventHandler()
                        .handle(new RMAppEvent(id, RMAppEventType.APP_REJECTED, "treadle: " + e.getMessage()));
                return Optional.empty();
            }
            LOG.error("Application {} is recovered as a plain application: {}", id, e.getMessage());
            spec = Optional.empty();
        }
        addToQueue.run();
        Optional<Gang> gang = spec.flatMap(s -> gang(id, s, event.getUser()));
        gang.ifPresent(gangs::add);
        problem.ifPresent(found -> gang.ifPresent(waits -> warn(waits, found)));
        return gang;
    }

    private static void warn(Gang gang, SubmissionCheck.Problem problem) {
        String text = problem.text().lines().findFirst().orElse("") + " It waits: "
                + problem.later().orElse("") + ".";
        LOG.warn("Application {} does not fit on the cluster as it is: {}", gang.id(), text);
        gang.explain(Gang.State.WAITING, text);
    }

    /** CapacityScheduler has moved the application: where it is a gang, it is planned in its new queue from now on. */
    public void moved(ApplicationId id) {
        SchedulerApplication<?> application =
                scheduler.getSchedulerApplications().get(id);
        if (application != null && application.getQueue() instanceof CSQueue queue) {
            gangs.find(id).ifPresent(gang -> gang.moved(queue.getQueuePath()));
        }
    }

    private Optional<GangSpec> spec(ApplicationId id) {
        RMApp app = context.getRMApps().get(id);
        ApplicationSubmissionContext submission = app == null ? null : app.getApplicationSubmissionContext();
        Map<String, String> properties = submission == null ? null : submission.getApplicationSchedulingPropertiesMap();
        return properties == null || !GangTable.isGang(properties)
                ? Optional.empty()
                : Optional.of(GangSpec.fromProperties(properties));
    }

    /** Returns the problem of a job that does not fit now and may fit later. */
    private Optional<SubmissionCheck.Problem> refuseWhatNeverFits(GangSpec spec, AppAddedSchedulerEvent event) {
        String name = queueOf(event);
        CSQueue queue = name == null ? null : scheduler.getQueue(name);
        if (queue == null) {
            return Optional.empty();
        }
        String partition = partition(event.getApplicationId(), queue);
        Optional<SubmissionCheck.Problem> problem = check.check(spec, queue.getQueuePath(), partition);
        problem.filter(found -> found.later().isEmpty()).ifPresent(found -> {
            throw new IllegalArgumentException(found.text());
        });
        return problem;
    }

    /**
     * As CapacityScheduler does it: a placement rule names a queue by its parent too. Where several queues have one last name,
     * CapacityScheduler finds none by that name alone, and the gang would not be checked.
     */
    private static @Nullable String queueOf(AppAddedSchedulerEvent event) {
        ApplicationPlacementContext placement = event.getPlacementContext();
        if (placement == null || placement.getQueue() == null) {
            return event.getQueue();
        }
        return placement.hasParentQueue()
                ? placement.getParentQueue() + "." + placement.getQueue()
                : placement.getQueue();
    }

    /** The job as it is planned, with its asks rounded as YARN rounds them. */
    private GangSpec asked(ApplicationId id, GangSpec said, CSQueue queue) {
        try {
            return check.asked(said, queue.getQueuePath());
        } catch (IllegalArgumentException e) {
            // It ran before the cluster's smallest container was changed.
            LOG.warn("The sizes that application {} asks for are not rounded: {}", id, e.getMessage());
            return said;
        }
    }

    /** Empty where CapacityScheduler did not take the application into a queue. */
    private Optional<Gang> gang(ApplicationId id, GangSpec spec, String user) {
        SchedulerApplication<?> application =
                scheduler.getSchedulerApplications().get(id);
        RMApp app = context.getRMApps().get(id);
        if (application == null || app == null || !(application.getQueue() instanceof CSQueue queue)) {
            return Optional.empty();
        }
        return Optional.of(new Gang(
                id,
                asked(id, spec, queue),
                queue.getQueuePath(),
                partition(id, queue),
                user,
                app.getName(),
                app.getSubmitTime()));
    }

    private String partition(ApplicationId id, CSQueue queue) {
        return GangLabels.submitted(context.getRMApps().get(id), queue);
    }
}

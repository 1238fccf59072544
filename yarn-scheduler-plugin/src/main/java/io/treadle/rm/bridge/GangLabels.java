// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.rm.gang.Gang;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.jspecify.annotations.Nullable;

/**
 * The node label that a gang's tasks are for. Its asks say it: YARN writes the label of the submission, or else the default of
 * the queue, into each ask when the ask comes, and changes it no more. So neither a move to another queue nor a new default
 * changes what a gang has asked for.
 */
public final class GangLabels {
    private final SchedulerAccess scheduler;
    private final RMContext context;

    public GangLabels(SchedulerAccess scheduler, RMContext context) {
        this.scheduler = scheduler;
        this.context = context;
    }

    /** Brings the gang's partition up to date. Used by the planner thread, before each round. */
    public void follow(Gang gang) {
        Optional<FiCaSchedulerApp> app = scheduler.app(gang.id());
        Optional<String> asked = app.flatMap(a -> asked(a, gang).findFirst());
        if (asked.isPresent()) {
            gang.asksFor(asked.get());
        } else if (!gang.hasAsked()) {
            // After a restart of the ResourceManager its tasks may be there before it asks again.
            app.flatMap(a -> held(a, gang)).ifPresentOrElse(gang::asksFor, () -> scheduler
                    .queue(gang.queue())
                    .ifPresent(queue ->
                            gang.mayAskFor(submitted(context.getRMApps().get(gang.id()), queue))));
        }
    }

    /** The labels of what the gang asks for now. */
    static Stream<String> asked(FiCaSchedulerApp app, Gang gang) {
        return app.getSchedulerKeys().stream()
                .filter(key -> isTask(key, gang)
                        && app.getPendingAsk(key, ResourceRequest.ANY).getCount() > 0)
                .map(key -> app.getAppSchedulingInfo().getAppPlacementAllocator(key))
                .filter(Objects::nonNull)
                .map(GangLabels::label);
    }

    private static String label(AppPlacementAllocator<?> asks) {
        return Objects.requireNonNullElse(asks.getPrimaryRequestedNodePartition(), "");
    }

    private static Optional<String> held(FiCaSchedulerApp app, Gang gang) {
        return LiveTasks.held(app).stream()
                .filter(container -> !container.isAMContainer() && isTask(container.getAllocatedSchedulerKey(), gang))
                .map(RMContainer::getNodeLabelExpression)
                .findFirst();
    }

    private static boolean isTask(SchedulerRequestKey key, Gang gang) {
        long group = key.getAllocationRequestId() - 1;
        return key.getContainerToUpdate() == null
                && group >= 0
                && group < gang.spec().groups().size();
    }

    /** What YARN will write into asks that name no label. */
    static String submitted(@Nullable RMApp app, CSQueue queue) {
        String label =
                app == null ? null : app.getApplicationSubmissionContext().getNodeLabelExpression();
        label = label == null ? queue.getDefaultNodeLabelExpression() : label;
        return label == null ? "" : label.trim();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/** Which containers may end for one waiting gang. */
final class Victims {
    /** As YARN's preemption: who came last goes first. */
    static final Comparator<RMContainer> YOUNGEST_FIRST = Comparator.comparingLong(RMContainer::getCreationTime)
            .thenComparing(RMContainer::getContainerId)
            .reversed();

    private static final Set<RMContainerState> LIVE =
            EnumSet.of(RMContainerState.ALLOCATED, RMContainerState.ACQUIRED, RMContainerState.RUNNING);

    private final SchedulerAccess scheduler;
    private final Guarantees guarantees;
    private final ApplicationId gang;
    private final double overlooked;
    /** Whose guarantee covers the gang: below it nobody has less of a claim. */
    private final Optional<CSQueue> owing;

    /**
     * @param before plain applications of its queue that come before the gang
     * @param need what the gang lacks
     */
    Victims(
            SchedulerAccess scheduler,
            Guarantees guarantees,
            ApplicationId gang,
            Set<ApplicationId> before,
            ResourceVector need) {
        this.scheduler = scheduler;
        this.guarantees = guarantees;
        this.gang = gang;
        this.overlooked = scheduler.preemption().overlooked();
        this.owing = scheduler.app(gang).flatMap(app -> guarantees.owing(app, before, need));
    }

    /**
     * Whether it is a container of a plain application: such come and go. ApplicationMasters and gangs stay. One that YARN has
     * ended holds its room until its node says that it is gone, which it does by itself.
     */
    boolean mayEndByItself(RMContainer container) {
        return !isLive(container)
                || app(container)
                        .filter(app -> isTask(container) && Foreign.isPlain(app))
                        .isPresent();
    }

    /**
     * As YARN's preemption has it, or it is ended already: its queue and those above it have more than their guarantees, it is not
     * spared by its settings, and the guarantee that covers the gang does not cover it, too.
     */
    boolean mayBePreempted(RMContainer container) {
        return !isLive(container) || mayBePreempted(container, Map.of());
    }

    /** @param givenUp what leaf queues have been told to give up already, by path */
    boolean mayBePreempted(RMContainer container, Map<String, ResourceVector> givenUp) {
        Optional<FiCaSchedulerApp> app = app(container);
        Optional<FiCaSchedulerApp> own = scheduler.app(gang);
        if (app.isEmpty() || own.isEmpty() || !isTask(container)) {
            return false;
        }
        CSQueue queue = app.get().getCSLeafQueue();
        CSQueue ofGang = own.get().getCSLeafQueue();
        if (queue.getQueuePath().equals(ofGang.getQueuePath())) {
            // Inside a queue gangs are its policy's matter, and plain applications that come first keep what they have.
            return false;
        }
        if (owing.filter(level -> !QueueLimits.isBelow(queue.getQueuePath(), level))
                .isEmpty()) {
            return false;
        }
        return !queue.getPreemptionDisabled()
                && guarantees.isWorthPreempting(queue, overlooked)
                && guarantees.isOver(queue, ofGang, givenUp);
    }

    /** All tasks of its gang, or itself where it is in none: a gang that loses one member is no gang. */
    List<RMContainer> withItsGang(RMContainer container) {
        return app(container)
                .filter(app -> !Foreign.isPlain(app))
                .map(app -> LiveTasks.held(app).stream()
                        .filter(c -> !c.isAMContainer())
                        .toList())
                .orElse(List.of(container));
    }

    /** The leaf queue of the container's application. */
    Optional<CSQueue> queue(RMContainer container) {
        return app(container).map(FiCaSchedulerApp::getCSLeafQueue);
    }

    static boolean isLive(RMContainer container) {
        return LIVE.contains(container.getState());
    }

    private static boolean isTask(RMContainer container) {
        return !container.isAMContainer() && isLive(container);
    }

    private Optional<FiCaSchedulerApp> app(RMContainer container) {
        ApplicationId id = container.getApplicationAttemptId().getApplicationId();
        return id.equals(gang) ? Optional.empty() : scheduler.app(id);
    }
}

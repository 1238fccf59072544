// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.rm.gang.Gang;
import io.treadle.rm.gang.GangTable;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.jspecify.annotations.Nullable;

/** The containers of a gang, where Hadoop speaks of one. */
public final class GangMembers {
    /** Room for versions that a NodeManager may hold and never reports. */
    private static final int VERSIONS_PER_EPOCH = 100_000;

    private static final int EPOCHS = Integer.MAX_VALUE / VERSIONS_PER_EPOCH;

    private final SchedulerAccess scheduler;
    private final GangTable gangs;

    public GangMembers(SchedulerAccess scheduler, GangTable gangs) {
        this.scheduler = scheduler;
        this.gangs = gangs;
    }

    /** The application of the container, where it is a gang that runs. */
    public Optional<FiCaSchedulerApp> app(RMContainer container) {
        if (gangs.isEmpty()) {
            // Nothing of ours is there: nothing is asked that CapacityScheduler would not ask.
            return Optional.empty();
        }
        ApplicationId id = container.getApplicationAttemptId().getApplicationId();
        return gangs.find(id).isPresent() ? scheduler.app(id) : Optional.empty();
    }

    /** A gang that loses one member is no gang: every task container of it. The container alone, where it is in none. */
    public List<RMContainer> wholeGang(RMContainer container) {
        Optional<FiCaSchedulerApp> app = container.isAMContainer() ? Optional.empty() : app(container);
        return app.isEmpty()
                ? List.of(container)
                : LiveTasks.held(app.get()).stream()
                        .filter(c -> !c.isAMContainer())
                        .toList();
    }

    /**
     * Ends an attempt. The updates that one of a gang has not fetched are given up first, while no answer to it is under way: one
     * that fetched them afterwards would change the size of containers that have ended.
     *
     * @param end what CapacityScheduler does for it; it runs once
     */
    public void attemptEnds(ApplicationAttemptId attempt, Runnable end) {
        gangs.find(attempt.getApplicationId())
                .ifPresentOrElse(
                        gang -> gang.delivery().betweenAnswers(() -> {
                            abandonUpdates(attempt);
                            end.run();
                        }),
                        end);
    }

    /**
     * Moves an application to another queue: a gang while no answer to it is under way, and each of its containers once.
     *
     * @param move what CapacityScheduler does; it runs once
     */
    public void moves(ApplicationId id, Runnable move) {
        Optional<Gang> gang = gangs.find(id);
        Optional<FiCaSchedulerApp> app = gang.flatMap(known -> scheduler.app(id));
        if (app.isEmpty()) {
            move.run();
            return;
        }
        gang.get()
                .delivery()
                .betweenAnswers(() -> scheduler.locked(() -> {
                    // Hadoop moves reservations in the application's books and leaves them out of the queues'.
                    app.get().getReservedContainers().forEach(scheduler::unreserve);
                    UpdatesInFlight.listedOnce(app.get(), scheduler, move);
                    return true;
                }));
    }

    private void abandonUpdates(ApplicationAttemptId attempt) {
        scheduler.locked(() -> {
            scheduler
                    .app(attempt.getApplicationId())
                    .filter(app -> app.getApplicationAttemptId().equals(attempt))
                    .ifPresent(app -> UpdatesInFlight.abandon(app, scheduler));
            return true;
        });
    }

    /**
     * A NodeManager reports a container with the version of its start, whatever updates came after: the next update must
     * carry a version above all of them.
     */
    public void raiseVersion(@Nullable RMContainer container, long epoch) {
        if (container != null && app(container).isPresent()) {
            // Federation sets epochs by hand, and they may be large: the product must not become negative.
            int least = (int) (epoch % EPOCHS) * VERSIONS_PER_EPOCH;
            container
                    .getContainer()
                    .setVersion(Math.max(container.getContainer().getVersion(), least));
        }
    }
}

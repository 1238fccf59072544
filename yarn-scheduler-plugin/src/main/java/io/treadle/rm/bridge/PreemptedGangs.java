// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.rm.gang.GangHost;
import io.treadle.rm.profile.Telemetry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * What YARN's preemption does to gangs: it warns and ends them whole, only where somebody would be served by it or their node holds
 * more than it has, and ends none that was not warned. Containers that are in no gang stay alone, and are Hadoop's own matter. Any thread.
 */
public final class PreemptedGangs {
    /** YARN's preemption names the members of a gang one after the other within this time. */
    private static final long SAME_LOOK_MS = 1_000;

    private final SchedulerAccess scheduler;
    private final GangHost host;
    private final GangMembers members;
    private final Supplier<GangReservations> reservations;
    private final Supplier<Telemetry> telemetry;
    private final LongSupplier clockMs;
    /** When a member was warned last, ms. */
    private final Map<ContainerId, Long> warned = new ConcurrentHashMap<>();
    /** Gangs by whose end nobody would be served, and when that was looked at, ms. */
    private final Map<ApplicationId, Long> spared = new ConcurrentHashMap<>();

    public PreemptedGangs(
            SchedulerAccess scheduler,
            GangHost host,
            GangMembers members,
            Supplier<GangReservations> reservations,
            Supplier<Telemetry> telemetry,
            LongSupplier clockMs) {
        this.scheduler = scheduler;
        this.host = host;
        this.members = members;
        this.reservations = reservations;
        this.telemetry = telemetry;
        this.clockMs = clockMs;
    }

    /**
     * What is to be warned where YARN warns this container; members of a gang count as warned from now on. Nothing where its gang
     * was warned just now: YARN names the members one by one.
     */
    public List<RMContainer> toWarn(RMContainer container) {
        long nowMs = clockMs.getAsLong();
        Long before = warned.get(container.getContainerId());
        if (before != null && nowMs - before < SAME_LOOK_MS) {
            return List.of();
        }
        List<RMContainer> whole = toEnd(container);
        if (members.app(container).isPresent()) {
            for (RMContainer member : whole) {
                warned.put(member.getContainerId(), nowMs);
                if (scheduler.nodeOf(member.getContainerId()).isEmpty()) {
                    ended(member);
                }
            }
        }
        return whole;
    }

    /**
     * Whether YARN may end the container without a warning first. YARN warns once and ends some time later: by then somebody may
     * have come for whom a gang could end that nobody had a use for before.
     */
    public boolean isWarned(RMContainer container) {
        return members.app(container).isEmpty()
                || warned.containsKey(container.getContainerId())
                || isOnOvercommittedNode(container);
    }

    /**
     * A node that was made smaller by an administrator holds more than it has: YARN frees it after a time that the administrator
     * named, whether or not anybody waits, and warns where that time is not 0.
     */
    private boolean isOnOvercommittedNode(RMContainer container) {
        return scheduler
                .node(container.getAllocatedNode())
                .filter(node -> !Resources.fitsIn(Resources.none(), node.getUnallocatedResource()))
                .isPresent();
    }

    /**
     * What is to end where YARN ends this container; nothing of a gang by whose end nobody would be served, unless its node holds
     * more than it has.
     */
    public List<RMContainer> toEnd(RMContainer container) {
        Optional<FiCaSchedulerApp> gang = members.app(container);
        if (gang.isEmpty()) {
            return members.wholeGang(container);
        }
        if (gang.get().getRMContainer(container.getContainerId()) == null) {
            return List.of();
        }
        List<RMContainer> whole = members.wholeGang(container);
        if (isOnOvercommittedNode(container)) {
            return whole;
        }
        ApplicationId id = gang.get().getApplicationId();
        long nowMs = clockMs.getAsLong();
        Long spares = spared.get(id);
        if (spares != null && nowMs - spares < SAME_LOOK_MS) {
            return List.of();
        }
        if (new Beneficiaries(scheduler, host, reservations.get(), telemetry.get()).isThereOne(id, whole)) {
            return whole;
        }
        spared.values().removeIf(looked -> nowMs - looked >= SAME_LOOK_MS);
        spared.put(id, nowMs);
        return List.of();
    }

    /** The container has left the books of its application. */
    public void ended(RMContainer container) {
        warned.remove(container.getContainerId());
        spared.remove(container.getApplicationAttemptId().getApplicationId());
    }
}

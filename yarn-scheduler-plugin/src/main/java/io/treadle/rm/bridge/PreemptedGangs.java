// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.rm.gang.GangHost;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/**
 * What YARN's preemption does to gangs: it warns and ends them whole, only where somebody would be served by it, and ends none that
 * was not warned. Containers that are in no gang stay alone, and are Hadoop's own matter. Any thread.
 */
public final class PreemptedGangs {
    private final SchedulerAccess scheduler;
    private final GangHost host;
    private final GangMembers members;
    private final Supplier<GangReservations> reservations;
    private final Set<ContainerId> warned = ConcurrentHashMap.newKeySet();

    public PreemptedGangs(
            SchedulerAccess scheduler, GangHost host, GangMembers members, Supplier<GangReservations> reservations) {
        this.scheduler = scheduler;
        this.host = host;
        this.members = members;
        this.reservations = reservations;
    }

    /** What is to be warned where YARN warns this container; members of a gang count as warned from now on. */
    public List<RMContainer> toWarn(RMContainer container) {
        List<RMContainer> whole = toEnd(container);
        if (members.app(container).isPresent()) {
            for (RMContainer member : whole) {
                warned.add(member.getContainerId());
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
        return members.app(container).isEmpty() || warned.contains(container.getContainerId());
    }

    /** What is to end where YARN ends this container; nothing of a gang by whose end nobody would be served. */
    public List<RMContainer> toEnd(RMContainer container) {
        List<RMContainer> whole = members.wholeGang(container);
        Optional<FiCaSchedulerApp> gang = members.app(container);
        return gang.isEmpty()
                        || new Beneficiaries(scheduler, host, reservations.get())
                                .isThereOne(gang.get().getApplicationId(), whole)
                ? whole
                : List.of();
    }

    /** The container has left the books of its application. */
    public void ended(RMContainer container) {
        warned.remove(container.getContainerId());
    }
}

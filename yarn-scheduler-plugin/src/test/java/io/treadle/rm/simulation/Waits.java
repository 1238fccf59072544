// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.DeviceTag;
import io.treadle.core.wire.NodeRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/** Finds out who waits for what is there, by a simple rule of its own. */
final class Waits {
    static final String RULE = "what fits is granted";

    /**
     * Somebody waits.
     *
     * @param application the first of those that wait
     * @param books what nodes and queues hold
     */
    record Waiting(ApplicationId application, boolean isGang, String text, String books) {}

    /** Who waits although there is room that he may have; empty where there is nobody. */
    Optional<Waiting> inVain(SimulatedCluster cluster) {
        for (AbstractLeafQueue leaf : Yarn.leaves(cluster)) {
            Optional<Waiting> found = firstPlain(cluster, leaf).or(() -> allGangs(cluster, leaf));
            if (found.isPresent()) {
                return found.map(waiting -> new Waiting(
                        waiting.application(),
                        waiting.isGang(),
                        waiting.text() + "\n" + state(cluster),
                        books(cluster)));
            }
        }
        return Optional.empty();
    }

    /** CapacityScheduler lets nobody pass the first application of a queue that waits; gangs do not count for it. */
    private static Optional<Waiting> firstPlain(SimulatedCluster cluster, AbstractLeafQueue leaf) {
        for (FiCaSchedulerApp attempt : leaf.getApplications()) {
            if (isGang(cluster, attempt) || Yarn.pending(attempt).isZero()) {
                continue;
            }
            for (SchedulerRequestKey key : attempt.getSchedulerKeys()) {
                PendingAsk ask = attempt.getPendingAsk(key, ResourceRequest.ANY);
                ResourceVector size = Yarn.vector(ask.getPerAllocationResource());
                if (key.getContainerToUpdate() == null
                        && ask.getCount() > 0
                        && mayHave(cluster, attempt, size, false)
                        && places(cluster, attempt, size, true) > 0) {
                    return Optional.of(new Waiting(
                            attempt.getApplicationId(),
                            false,
                            attempt.getApplicationId() + " is the first in " + leaf.getQueuePath() + ", waits for "
                                    + size.describe() + ", and there is room",
                            ""));
                }
            }
            return Optional.empty();
        }
        return Optional.empty();
    }

    /** A policy may let one gang wait for another that comes before it: something is wrong where there is room for each. */
    private static Optional<Waiting> allGangs(SimulatedCluster cluster, AbstractLeafQueue leaf) {
        List<ApplicationId> ids = new ArrayList<>();
        List<String> waiting = new ArrayList<>();
        for (FiCaSchedulerApp attempt : leaf.getApplications()) {
            for (SchedulerRequestKey key : attempt.getSchedulerKeys()) {
                PendingAsk ask = attempt.getPendingAsk(key, ResourceRequest.ANY);
                if (!isGang(cluster, attempt) || key.getContainerToUpdate() != null || ask.getCount() == 0) {
                    continue;
                }
                ResourceVector size = Yarn.vector(ask.getPerAllocationResource());
                if (!mayHave(cluster, attempt, size.times(ask.getCount()), true)
                        || places(cluster, attempt, size, false) < ask.getCount()) {
                    return Optional.empty();
                }
                ids.add(attempt.getApplicationId());
                waiting.add(
                        attempt.getApplicationId() + " waits for " + ask.getCount() + " × (" + size.describe() + ")");
            }
        }
        return waiting.isEmpty()
                ? Optional.empty()
                : Optional.of(new Waiting(
                        ids.get(0),
                        true,
                        "In " + leaf.getQueuePath() + " " + String.join(", ", waiting)
                                + ", and there is room for the whole gang",
                        ""));
    }

    /** A gang whose tasks come through plans, and for which YARN keeps a node that nobody will ever use. */
    Optional<String> reserved(SimulatedCluster cluster) {
        return Yarn.attempts(cluster).stream()
                .filter(attempt -> isGang(cluster, attempt)
                        && !attempt.getReservedContainers().isEmpty())
                .map(attempt -> attempt.getApplicationId() + " has " + attempt.getReservedContainers())
                .findFirst();
    }

    /** Whether its tasks come through plans. */
    static boolean isGang(SimulatedCluster cluster, FiCaSchedulerApp attempt) {
        return cluster.isPlanned(attempt.getApplicationId()) && !attempt.isWaitingForAMContainer();
    }

    /** What there is, for people. */
    static String state(SimulatedCluster cluster) {
        StringBuilder text = new StringBuilder(books(cluster));
        cluster.treadle()
                .ifPresent(scheduler -> scheduler.reservations().all().forEach(reservation -> text.append("    ")
                        .append(reservation)
                        .append("\n")));
        cluster.treadle().ifPresent(scheduler -> scheduler.gangs().all().forEach(gang -> text.append("    ")
                .append(gang.id())
                .append(" ")
                .append(gang.state())
                .append(": ")
                .append(gang.reason())
                .append("\n")));
        return text.toString();
    }

    /** What nodes and queues hold; the same words for the same. */
    static String books(SimulatedCluster cluster) {
        StringBuilder text = new StringBuilder();
        for (FiCaSchedulerNode node : cluster.scheduler().getNodeTracker().getAllNodes()) {
            text.append("    ")
                    .append(node.getNodeID())
                    .append(": free ")
                    .append(Yarn.vector(node.getUnallocatedResource()).describe())
                    .append(node.getPartition().isEmpty() ? "" : ", label " + node.getPartition())
                    .append(node.getReservedContainer() == null ? "" : ", reserved for " + node.getReservedContainer())
                    .append("\n");
        }
        for (AbstractLeafQueue leaf : Yarn.leaves(cluster)) {
            text.append("    ")
                    .append(leaf.getQueuePath())
                    .append(": holds ")
                    .append(Yarn.vector(leaf.getQueueResourceUsage().getUsed(""))
                            .describe())
                    .append(", waits for ")
                    .append(Yarn.vector(leaf.getQueueResourceUsage().getPending(""))
                            .describe())
                    .append(", guaranteed ")
                    .append(Yarn.vector(leaf.getEffectiveCapacity("")).describe())
                    .append("\n");
        }
        return text.toString();
    }

    private static boolean mayHave(
            SimulatedCluster cluster, FiCaSchedulerApp attempt, ResourceVector more, boolean whole) {
        for (CSQueue queue = attempt.getCSLeafQueue(); queue != null; queue = queue.getParent()) {
            ResourceVector after =
                    Yarn.vector(queue.getQueueResourceUsage().getUsed("")).plus(more);
            after = whole ? after : after.minus(beyondAsksBelow(cluster, queue));
            if (!after.fitsIn(Yarn.vector(queue.getEffectiveMaxCapacity("")))) {
                return false;
            }
        }
        return mayUserHave(cluster, attempt, more, whole);
    }

    private static ResourceVector beyondAsksBelow(SimulatedCluster cluster, CSQueue queue) {
        String path = queue.getQueuePath();
        return Yarn.attempts(cluster).stream()
                .filter(attempt -> (attempt.getCSLeafQueue().getQueuePath() + ".").startsWith(path + "."))
                .map(attempt -> beyondAsks(cluster, attempt.getLiveContainers()))
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    private static ResourceVector beyondAsks(SimulatedCluster cluster, Collection<RMContainer> containers) {
        return containers.stream()
                .map(container -> Yarn.vector(container.getAllocatedResource())
                        .minus(Yarn.vector(
                                cluster.asked(container.getContainerId(), container.getAllocatedResource()))))
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    private static boolean mayUserHave(
            SimulatedCluster cluster, FiCaSchedulerApp attempt, ResourceVector more, boolean whole) {
        AbstractLeafQueue leaf = attempt.getCSLeafQueue();
        ResourceVector limit = Yarn.vector(leaf.getResourceLimitForActiveUsers(
                attempt.getUser(),
                cluster.scheduler().getClusterResource(),
                "",
                SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY));
        // YARN forgets what a user holds with the last attempt, although containers outlive it, and counts below zero
        // when they end.
        ResourceVector held =
                Yarn.vector(leaf.getUser(attempt.getUser()).getUsed("")).max(ResourceVector.ZERO);
        ResourceVector all = Yarn.vector(cluster.scheduler().getClusterResource());
        return Yarn.dominant(whole ? held.plus(more) : held, all) <= Yarn.dominant(limit, all) + 1e-9;
    }

    /**
     * How many containers of this size have room now.
     *
     * @param atAsks whether what gangs hold beyond their asks counts as free: it is to be given back
     */
    private static long places(
            SimulatedCluster cluster, FiCaSchedulerApp attempt, ResourceVector size, boolean atAsks) {
        long places = 0;
        for (FiCaSchedulerNode node : open(cluster)) {
            ResourceVector kept = cluster.treadle()
                    .map(scheduler -> scheduler.reservations().forOthers(node.getNodeID(), attempt.getApplicationId()))
                    .orElse(ResourceVector.ZERO);
            if (node.getReservedContainer() == null) {
                ResourceVector free = free(cluster, node, kept, container -> true);
                places += (atAsks ? free.plus(beyondAsks(cluster, node.getCopiedListOfRunningContainers())) : free)
                        .count(size);
            }
        }
        return places;
    }

    /** How many would have room once the tasks of other queues have ended. */
    private static long placesWithoutOthers(SimulatedCluster cluster, AbstractLeafQueue queue, ResourceVector size) {
        long places = 0;
        for (FiCaSchedulerNode node : open(cluster)) {
            places += free(
                            cluster,
                            node,
                            ResourceVector.ZERO,
                            container -> container.isAMContainer() || isOf(cluster, container, queue))
                    .count(size);
        }
        return places;
    }

    static boolean isOf(SimulatedCluster cluster, RMContainer container, AbstractLeafQueue queue) {
        FiCaSchedulerApp app = cluster.scheduler().getApplicationAttempt(container.getApplicationAttemptId());
        return app != null && app.getCSLeafQueue() == queue;
    }

    private static List<FiCaSchedulerNode> open(SimulatedCluster cluster) {
        return cluster.scheduler().getNodeTracker().getAllNodes().stream()
                .filter(node -> node.getRMNode().getState() == NodeState.RUNNING
                        && node.getPartition().isEmpty())
                .toList();
    }

    /**
     * What is free on a node, in GPUs that work where it says which do.
     *
     * @param kept for others
     * @param stays whether a container's room is not to be had
     */
    static ResourceVector free(
            SimulatedCluster cluster, FiCaSchedulerNode node, ResourceVector kept, Predicate<RMContainer> stays) {
        ResourceVector free = Yarn.vector(node.getUnallocatedResource());
        Set<String> devices = new HashSet<>();
        Optional<NodeRecord> record = cluster.records.node(node.getNodeID().toString());
        record.ifPresent(r -> r.devices().stream()
                .filter(device -> device.health() == NodeRecord.Health.OK)
                .forEach(device -> devices.add(device.uuid())));
        for (RMContainer container : node.getCopiedListOfRunningContainers()) {
            if (stays.test(container)) {
                devices.removeAll(devices(container));
            } else {
                free = free.plus(Yarn.vector(container.getAllocatedResource()));
            }
        }
        free = free.minus(kept).max(ResourceVector.ZERO);
        return record.isPresent() ? free.withGpus(Math.min(free.gpus(), devices.size())) : free;
    }

    private static Set<String> devices(RMContainer container) {
        Set<String> devices = new HashSet<>();
        for (String tag : container.getAllocationTags() == null ? Set.<String>of() : container.getAllocationTags()) {
            try {
                DeviceTag.parse(tag).ifPresent(device -> devices.add(device.uuid()));
            } catch (io.treadle.core.wire.WireFormatException e) {
                throw new IllegalStateException(e);
            }
        }
        return devices;
    }

    /**
     * A gang that waits although the guarantee of its queue covers it, while others hold more than theirs: empty where there
     * is none.
     */
    Optional<String> owed(SimulatedCluster cluster) {
        for (SimulatedApplication application : cluster.applications()) {
            FiCaSchedulerApp attempt = Yarn.attempts(cluster).stream()
                    .filter(a -> a.getApplicationId().equals(application.id))
                    .findFirst()
                    .orElse(null);
            // An ApplicationMaster that is to start again comes as those of all applications do.
            if (attempt == null
                    || attempt.isWaitingForAMContainer()
                    || !application.job.isGang()
                    || !application.isWaiting()
                    || !cluster.isPlanned(application.id)) {
                continue;
            }
            AbstractLeafQueue leaf = attempt.getCSLeafQueue();
            ResourceVector need = Yarn.pending(attempt);
            ResourceVector with =
                    Yarn.vector(leaf.getQueueResourceUsage().getUsed("")).plus(need);
            if (!need.isZero()
                    && with.fitsIn(Yarn.vector(leaf.getEffectiveCapacity("")))
                    && mayUserHave(cluster, attempt, need, true)
                    && fitsWithoutOthers(cluster, attempt)
                    && isBorrowed(cluster, leaf, need)) {
                return Optional.of("a" + application.job.number() + " waits for " + need.describe() + ", its queue "
                        + leaf.getQueuePath() + " would hold " + with.describe() + " of its guarantee of "
                        + Yarn.vector(leaf.getEffectiveCapacity("")).describe());
            }
        }
        return Optional.empty();
    }

    private static boolean fitsWithoutOthers(SimulatedCluster cluster, FiCaSchedulerApp attempt) {
        return attempt.getSchedulerKeys().stream()
                .map(key -> attempt.getPendingAsk(key, ResourceRequest.ANY))
                .allMatch(ask -> placesWithoutOthers(
                                cluster, attempt.getCSLeafQueue(), Yarn.vector(ask.getPerAllocationResource()))
                        >= ask.getCount());
    }

    /** Whether another queue holds so much more than its guarantee, and tasks of it end by themselves. */
    private static boolean isBorrowed(SimulatedCluster cluster, AbstractLeafQueue owner, ResourceVector need) {
        for (AbstractLeafQueue other : Yarn.leaves(cluster)) {
            ResourceVector borrowed = Yarn.vector(other.getQueueResourceUsage().getUsed(""))
                    .minus(Yarn.vector(other.getEffectiveCapacity("")));
            if (other != owner && need.fitsIn(borrowed.max(ResourceVector.ZERO))) {
                return true;
            }
        }
        return false;
    }
}

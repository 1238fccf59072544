// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.rm.gang.Gang;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.server.utils.BuilderUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One gang whose members are being committed, a few in each hold of the scheduler's lock. All are committed, or those
 * that were are taken back. The gang is forming meanwhile (see {@link io.treadle.rm.gang.Delivery}), and room that it has
 * yet to take is kept for it. For one thread, once.
 */
final class GangCommit {
    private static final Logger LOG = LoggerFactory.getLogger(GangCommit.class);

    private final SchedulerAccess scheduler;
    private final FiCaSchedulerApp app;
    private final Gang gang;
    private final List<TaskPlacement> tasks;
    private final CommitCheck check;
    private final List<RMContainer> members = new ArrayList<>();
    /** What the job asks for, by what its asks were before they took the planned size. */
    private final Map<SchedulerRequestKey, Resource> asks = new HashMap<>();

    private final Set<String> checked = new HashSet<>();
    /** What is claimed for members that are still to be committed. */
    private final Map<NodeId, ResourceVector> room = new HashMap<>();

    private Optional<String> refused = Optional.empty();

    /** The caller has begun the gang's delivery; it is settled when {@link #run} ends. */
    GangCommit(
            SchedulerAccess scheduler, FiCaSchedulerApp app, Gang gang, List<TaskPlacement> tasks, CommitCheck check) {
        this.scheduler = scheduler;
        this.app = app;
        this.gang = gang;
        this.tasks = tasks;
        this.check = check;
    }

    /** @return empty when every member is committed; otherwise why none is */
    Optional<String> run() {
        Map<NodeId, Set<String>> devices = Map.of();
        boolean granted = false;
        try {
            room.putAll(check.sizes());
            devices = check.devices();
            room.forEach(scheduler.formingRoom()::claim);
            devices.forEach(scheduler.formingRoom()::claimDevices);
            granted = ShortHolds.run(scheduler, tasks.size(), i -> commitNext(tasks.get(i)))
                    && gang.delivery().grant(members, this::isWhole);
        } finally {
            try {
                room.forEach(scheduler.formingRoom()::release);
                devices.keySet().forEach(scheduler.formingRoom()::releaseDevices);
            } finally {
                if (!granted) {
                    takeBack();
                }
            }
        }
        if (granted) {
            scheduler.locked(() -> {
                AskSizes.restore(app, asks);
                return true;
            });
            LOG.info("Gang of {} is granted whole: {} containers", gang.id(), members.size());
            return Optional.empty();
        }
        return refused.or(() -> Optional.of("it lost a member while it was granted"));
    }

    /** One step of a hold: false where the member cannot be committed. */
    private boolean commitNext(TaskPlacement task) {
        refused = obstacle(task);
        if (refused.isPresent()) {
            return false;
        }
        int member = members.size() + 1;
        if (!PlannedPlacement.granting(() -> commit(task))) {
            LOG.warn(
                    "Gang of {} is taken back: member {} of {} on {} was refused",
                    gang.id(),
                    member,
                    tasks.size(),
                    task.nodeId());
            refused = Optional.of("a member on " + task.nodeId() + " was refused");
            return false;
        }
        NodeId node = NodeId.fromString(task.nodeId());
        scheduler.formingRoom().release(node, task.size());
        room.computeIfPresent(node, (key, claimed) -> claimed.minus(task.size()));
        return true;
    }

    /** The lock was let go of since the step before: what that found may not hold any more. */
    private Optional<String> obstacle(TaskPlacement task) {
        if (scheduler.app(gang.id()).filter(this::isSameAttempt).isEmpty()) {
            return Optional.of("its ApplicationMaster is gone");
        }
        if (members.isEmpty()) {
            Optional<String> limit = check.limits();
            if (limit.isPresent()) {
                return limit;
            }
        }
        // Of a node that was checked, others may have had a device since, or one was lost.
        return checked.add(task.nodeId()) ? check.node(task.nodeId()) : check.device(task);
    }

    private boolean isSameAttempt(FiCaSchedulerApp current) {
        return current.getApplicationAttemptId().equals(app.getApplicationAttemptId());
    }

    /** Adds to the members what it commits. */
    private boolean commit(TaskPlacement task) {
        Optional<SchedulerRequestKey> key = key(gang.spec(), task.group());
        FiCaSchedulerNode node =
                scheduler.node(NodeId.fromString(task.nodeId())).orElse(null);
        if (node == null || key.isEmpty() || pending(key.get()) <= 0) {
            return false;
        }
        Resource size = YarnResources.resource(task.size());
        asks.putIfAbsent(
                key.get(), app.getPendingAsk(key.get(), ResourceRequest.ANY).getPerAllocationResource());
        // Metrics count what is granted against what was asked: the ask takes the planned size first.
        AskSizes.set(app, key.get(), size);
        Container container = BuilderUtils.newContainer(
                null,
                node.getNodeID(),
                node.getHttpAddress(),
                size,
                key.get().getPriority(),
                null,
                key.get().getAllocationRequestId());
        RMContainer member = app.allocate(node, key.get(), container);
        if (member == null) {
            return false;
        }
        if (!task.devices().isEmpty()) {
            ((RMContainerImpl) member).setAllocationTags(NodeDevices.tagsOf(task.devices()));
        }
        // Before Hadoop notes it: where the commit fails in the middle it is taken back with the others.
        members.add(member);
        if (scheduler.commitPlanned(GangCommitter.proposal(app, node, member, size, NodeType.OFF_SWITCH))) {
            return true;
        }
        members.remove(members.size() - 1);
        return false;
    }

    private int pending(SchedulerRequestKey key) {
        return app.getPendingAsk(key, ResourceRequest.ANY).getCount();
    }

    private Optional<SchedulerRequestKey> key(GangSpec spec, String group) {
        for (int i = 0; i < spec.groups().size(); i++) {
            if (spec.groups().get(i).name().equals(group)) {
                long id = GangSpec.requestIdOf(i);
                return app.getSchedulerKeys().stream()
                        .filter(k -> k.getContainerToUpdate() == null && k.getAllocationRequestId() == id)
                        .filter(k -> pending(k) > 0)
                        .findFirst();
            }
        }
        return Optional.empty();
    }

    /** Whether no member was lost between two holds, and none is about to be. */
    private boolean isWhole() {
        return scheduler.locked(
                () -> scheduler.app(gang.id()).filter(this::isSameAttempt).isPresent()
                        && members.stream()
                                .allMatch(member -> app.getRMContainer(member.getContainerId()) != null
                                        && !scheduler.isLeaving(member.getAllocatedNode())));
    }

    private void takeBack() {
        boolean all = false;
        try {
            TakingBack.of(
                    scheduler, app, members, "the gang could not be granted whole", () -> AskSizes.restore(app, asks));
            all = true;
        } finally {
            gang.delivery().abandon(all ? List.of() : members);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import io.treadle.core.wire.GangSpec;
import io.treadle.rm.bridge.YarnResources;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.exceptions.ApplicationAttemptNotFoundException;
import org.apache.hadoop.yarn.exceptions.ApplicationMasterNotRegisteredException;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.jspecify.annotations.Nullable;

/** An application and its ApplicationMaster, which does one thing at each beat. */
final class SimulatedApplication {
    private static final Set<RMAppState> OVER = EnumSet.of(RMAppState.FINISHED, RMAppState.FAILED, RMAppState.KILLED);

    final Job job;
    final ApplicationId id;
    private final SimulatedCluster cluster;
    private final Map<ContainerId, Container> held = new LinkedHashMap<>();
    /** By container, the beat at which it ends by itself. */
    private final Map<ContainerId, Integer> endsAt = new LinkedHashMap<>();

    private final List<ContainerId> releases = new ArrayList<>();
    private final List<UpdateContainerRequest> updates = new ArrayList<>();
    private @Nullable MasterLink link;
    private boolean registered;
    private boolean mustAsk;
    /** Asked for and not yet received. */
    private int outstanding;
    /** Tasks that have run to their end. */
    private int done;

    private int beat;
    private boolean finished;
    /** The queue's policy failed for a while: containers come one by one until the gang is complete. */
    private boolean piecemeal;
    /** How many tasks of its the scheduler knew and it did not, at its last heartbeat. */
    private int strangers;
    /** What it has asked for may be more than it lacks: some came on the way of an ask that it has given up since. */
    private boolean asksTooMuch;

    SimulatedApplication(Job job, ApplicationId id, SimulatedCluster cluster) {
        this.job = job;
        this.id = id;
        this.cluster = cluster;
    }

    Optional<RMApp> app() {
        return Optional.ofNullable(
                cluster.resourceManager().getRMContext().getRMApps().get(id));
    }

    boolean isOver() {
        return app().map(app -> OVER.contains(app.getState())).orElse(true);
    }

    Map<ContainerId, Container> held() {
        return held;
    }

    /** Whether its ApplicationMaster has asked, and waits for an answer with containers. */
    boolean isWaiting() {
        return registered && !mustAsk && outstanding > 0 && !finished;
    }

    /** Something has happened: its queue may have been plain for a while between two of its heartbeats. */
    void look() {
        piecemeal |= job.isGang()
                && !cluster.isPlanned(id)
                && cluster.treadle()
                        .flatMap(treadle -> treadle.gangs().find(id))
                        .isPresent();
    }

    /** There is a new ResourceManager. */
    void resourceManagerRestarted() {
        piecemeal = false;
    }

    /** Its ApplicationMaster ends with an error. */
    void crash() {
        MasterLink current = link;
        if (current == null || isOver()) {
            return;
        }
        masterContainer(current).ifPresent(master -> cluster.node(master.getNodeId())
                .ifPresent(node -> node.complete(master.getId(), 1)));
        forgetMaster();
    }

    private void forgetMaster() {
        link = null;
        registered = false;
        releases.clear();
        updates.clear();
        piecemeal = false;
        asksTooMuch = false;
    }

    private Optional<Container> masterContainer(MasterLink master) {
        return app().map(app -> app.getRMAppAttempt(master.attempt)).map(RMAppAttempt::getMasterContainer);
    }

    void kill() throws Exception {
        if (!isOver()) {
            cluster.resourceManager().killApp(id);
        }
    }

    /**
     * YARN's monitor finds that an ApplicationMaster has said goodbye and that no node says that its container has ended: the
     * node was lost while the ResourceManager did not know it, between its restart and the node's first heartbeat. YARN itself
     * waits for ten minutes.
     */
    void finishingExpires() {
        Optional<RMAppAttempt> attempt = app().map(RMApp::getCurrentAppAttempt)
                .filter(current -> current.getAppAttemptState() == RMAppAttemptState.FINISHING);
        if (attempt.isPresent()) {
            ContainerId master = attempt.get().getMasterContainer().getId();
            if (cluster.nodes().stream().noneMatch(node -> node.knows(master))) {
                cluster.expired(attempt.get());
            }
        }
    }

    /** It wants one of its containers larger, or smaller. */
    void resize(int which, boolean grows) {
        if (held.isEmpty()) {
            return;
        }
        Container container = List.copyOf(held.values()).get(Math.floorMod(which, held.size()));
        Resource size = Resource.newInstance(container.getResource());
        size.setVirtualCores(Math.max(1, size.getVirtualCores() + (grows ? 1 : -1)));
        if (size.equals(container.getResource())) {
            return;
        }
        if (!job.isGang()) {
            cluster.plainResized();
        }
        updates.clear();
        updates.add(UpdateContainerRequest.newInstance(
                container.getVersion(),
                container.getId(),
                grows ? ContainerUpdateType.INCREASE_RESOURCE : ContainerUpdateType.DECREASE_RESOURCE,
                size,
                null));
    }

    /** @param heard whether the answer of the ResourceManager arrives */
    void beat(boolean heard) throws Exception {
        RMAppAttempt attempt = app().map(RMApp::getCurrentAppAttempt).orElse(null);
        if (attempt == null || isOver() || finished) {
            return;
        }
        MasterLink current = link;
        if (current == null || !current.attempt.equals(attempt.getAppAttemptId())) {
            launch(attempt);
        } else if (!registered) {
            register(current, attempt);
        } else {
            allocate(current, heard);
        }
    }

    /** A heartbeat of a gang's ApplicationMaster by which it hears of new sizes: it has nothing to say, and nothing ends. */
    void listen() throws Exception {
        MasterLink current = link;
        if (current == null || !job.isGang() || !registered || finished || isOver() || isDone()) {
            return;
        }
        boolean hasSomethingToSay = mustAsk || !releases.isEmpty() || !updates.isEmpty();
        boolean isOfNow = app().map(RMApp::getCurrentAppAttempt)
                .filter(attempt -> attempt.getAppAttemptId().equals(current.attempt)
                        && attempt.getAppAttemptState() == RMAppAttemptState.RUNNING)
                .isPresent();
        if (isOfNow && !hasSomethingToSay) {
            int before = beat;
            allocate(current, true);
            // Its tasks get no older.
            beat = before;
        }
    }

    private void launch(RMAppAttempt attempt) {
        if (attempt.getAppAttemptState() == RMAppAttemptState.ALLOCATED) {
            forgetMaster();
            cluster.launched(attempt);
            link = new MasterLink(attempt.getAppAttemptId());
        } else if (attempt.getAppAttemptState() == RMAppAttemptState.LAUNCHED) {
            // The ResourceManager went before it told the node: it waits in vain for this ApplicationMaster.
            cluster.expired(attempt);
        }
    }

    private void register(MasterLink current, RMAppAttempt attempt) throws Exception {
        RMAppAttemptState state = attempt.getAppAttemptState();
        if (state != RMAppAttemptState.LAUNCHED && state != RMAppAttemptState.RUNNING) {
            return;
        }
        boolean again = held.keySet().stream()
                .anyMatch(container -> container.getApplicationAttemptId().equals(current.attempt));
        RegisterApplicationMasterResponse answer = current.register(cluster.resourceManager());
        registered = true;
        if (!again) {
            takeOver(answer.getContainersFromPreviousAttempts());
        }
        mustAsk = true;
    }

    /** What runs of the attempt before; of a gang, all or nothing. */
    private void takeOver(List<Container> before) {
        held.clear();
        endsAt.clear();
        for (Container container : before) {
            held.put(container.getId(), container);
            endsAt.put(container.getId(), beat + job.beats());
        }
        if (job.isGang() && held.size() != job.tasks()) {
            giveUpAll();
        }
    }

    private void giveUpAll() {
        releases.addAll(held.keySet());
        held.clear();
        endsAt.clear();
    }

    private int wanted() {
        return switch (job.kind()) {
            case GANG, FLOOD -> job.tasks() - held.size();
            case PLAIN -> job.tasks() - held.size() - done;
        };
    }

    private List<ResourceRequest> asks() {
        outstanding = Math.max(0, wanted());
        int key = job.isGang() ? GangSpec.requestIdOf(0) : 5;
        return List.of(ResourceRequest.newBuilder()
                .priority(Priority.newInstance(key))
                .allocationRequestId(job.isGang() ? key : -1)
                .resourceName(ResourceRequest.ANY)
                .capability(YarnResources.resource(job.size()))
                .numContainers(outstanding)
                .relaxLocality(true)
                .build());
    }

    private void allocate(MasterLink current, boolean heard) throws Exception {
        List<ResourceRequest> asks = mustAsk ? asks() : List.of();
        boolean planned = !job.isGang() || cluster.isPlanned(id);
        AllocateResponse answer;
        try {
            answer = current.allocate(
                    cluster.resourceManager(), asks, List.copyOf(releases), List.copyOf(updates), heard);
        } catch (ApplicationMasterNotRegisteredException e) {
            registered = false;
            return;
        } catch (ApplicationAttemptNotFoundException e) {
            forgetMaster();
            return;
        }
        if (!heard) {
            return;
        }
        beat++;
        mustAsk = false;
        int givenUp = releases.size();
        releases.clear();
        updates.clear();
        answer.getUpdatedContainers()
                .forEach(updated -> held.replace(updated.getContainer().getId(), updated.getContainer()));
        if (job.isGang()) {
            piecemeal |= !planned || !cluster.isPlanned(id);
            asksTooMuch |= wholeOrNothing(answer, givenUp);
        }
        ended(answer.getCompletedContainersStatuses());
        received(answer.getAllocatedContainers());
        List<RMContainer> strange = strangers(current);
        strangers = strange.size();
        strange.forEach(task ->
                cluster.node(task.getAllocatedNode()).ifPresent(node -> node.complete(task.getContainerId(), 1)));
        if (cluster.doTasksEnd()) {
            endTasks();
        }
        if (isDone()) {
            finish(current);
        }
    }

    /**
     * What an ApplicationMaster of a gang may see: all that it waits for, or what makes its gang whole again. YARN itself asks
     * again for a container that its ApplicationMaster has fetched and that is lost before its node has said that it runs; a
     * scheduler that grants it at once saves a master that keeps the others, as ours does, a start. This master gives them
     * up, and does not know it yet, or says so in the same heartbeat. Tasks of its that only the scheduler knows make its gang
     * whole, too, until they end.
     *
     * @param givenUp containers that it had until this heartbeat
     * @return whether it gets what it has not asked for itself
     */
    private boolean wholeOrNothing(AllocateResponse answer, int givenUp) {
        Set<ContainerId> left = new HashSet<>(held.keySet());
        answer.getCompletedContainersStatuses().forEach(status -> left.remove(status.getContainerId()));
        int received = answer.getAllocatedContainers().size();
        boolean waitedFor = received == 0 || received == outstanding;
        boolean wholeAgain = left.size() + received == job.tasks()
                || givenUp + received == job.tasks()
                || left.size() + received + strangers == job.tasks();
        if (!waitedFor && !wholeAgain && !piecemeal) {
            throw new Violation(
                    "no gang is delivered in part",
                    "the ApplicationMaster of a" + job.number() + " gets " + received + " of " + outstanding
                            + " containers, and holds " + left.size());
        }
        Set<ContainerId> preempted = answer.getCompletedContainersStatuses().stream()
                .filter(status -> status.getExitStatus() == ContainerExitStatus.PREEMPTED)
                .map(ContainerStatus::getContainerId)
                .filter(held::containsKey)
                .collect(Collectors.toSet());
        // A node that was lost while there was no ResourceManager: nobody tells the master of what it had.
        left.removeIf(container -> cluster.nodes().stream().noneMatch(node -> node.knows(container)));
        if (!preempted.isEmpty() && !left.isEmpty() && !piecemeal) {
            throw new Violation(
                    "no gang is preempted in part", "a" + job.number() + " loses " + preempted + " and keeps " + left);
        }
        return !waitedFor && !piecemeal;
    }

    private void ended(List<ContainerStatus> statuses) {
        boolean lost = false;
        for (ContainerStatus status : statuses) {
            ContainerId container = status.getContainerId();
            Integer end = endsAt.remove(container);
            if (held.remove(container) != null) {
                boolean ran = end != null && end <= beat && status.getExitStatus() == 0;
                done += ran ? 1 : 0;
                lost |= !ran;
            }
        }
        if (!statuses.isEmpty() && !job.isGang()) {
            mustAsk = wanted() > 0 && outstanding < wanted();
        }
        if (job.isGang() && lost) {
            giveUpAll();
            done = 0;
            mustAsk = true;
        }
    }

    private void received(List<Container> containers) {
        for (Container container : containers) {
            cluster.delivered(container);
            if (held.containsKey(container.getId())) {
                throw new Violation(
                        "nothing is doubled", container.getId() + " is delivered twice to a" + job.number());
            }
            if (held.size() >= job.tasks() || (job.kind() == Job.Kind.PLAIN && wanted() <= 0)) {
                // It came on the way of an ask that has changed since.
                releases.add(container.getId());
                continue;
            }
            if (cluster.node(container.getNodeId()).filter(SimulatedNode::isUp).isEmpty()) {
                // The node cannot be reached: the ApplicationMaster gives the container up, and its gang with it.
                releases.add(container.getId());
                mustAsk = true;
                continue;
            }
            held.put(container.getId(), container);
            endsAt.put(container.getId(), beat + job.beats() + (job.isGang() ? 0 : held.size() % 3));
            cluster.node(container.getNodeId()).ifPresent(node -> node.run(container));
        }
        outstanding = Math.max(0, outstanding - containers.size());
        if (job.isGang() && mustAsk && !containers.isEmpty()) {
            giveUpAll();
        }
        if (asksTooMuch && !containers.isEmpty()) {
            mustAsk = true;
            asksTooMuch = held.size() < job.tasks();
        }
        piecemeal &= held.size() < job.tasks();
    }

    /**
     * Tasks of its that it does not know. They report to their ApplicationMaster, and end where it does not know them, as the runners
     * of ours do. There are some where YARN took a node for lost that runs on, and a ResourceManager that takes over finds its
     * containers running.
     */
    private List<RMContainer> strangers(MasterLink current) {
        SchedulerApplicationAttempt attempt = cluster.scheduler().getApplicationAttempt(current.attempt);
        return attempt == null
                ? List.of()
                : attempt.getLiveContainers().stream()
                        .filter(container -> !container.isAMContainer() && !isKnown(container.getContainerId()))
                        .toList();
    }

    private boolean isKnown(ContainerId task) {
        return held.containsKey(task) || releases.contains(task);
    }

    /** Tasks that have run long enough end, those of a gang together. */
    private void endTasks() {
        if (job.isGang()) {
            return;
        }
        endsAt.forEach((container, end) -> {
            Container task = held.get(container);
            if (end <= beat && task != null) {
                cluster.node(task.getNodeId()).ifPresent(node -> node.complete(container, 0));
            }
        });
    }

    /** Tasks that have run to their end. */
    int done() {
        return done;
    }

    private boolean isDone() {
        return switch (job.kind()) {
            case FLOOD -> false;
            case PLAIN -> done >= job.tasks();
            case GANG -> held.size() == job.tasks() && endsAt.values().stream().allMatch(end -> end <= beat);
        };
    }

    private void finish(MasterLink current) throws Exception {
        finished = true;
        current.finish(cluster.resourceManager());
        masterContainer(current).ifPresent(master -> cluster.node(master.getNodeId())
                .ifPresent(node -> node.complete(master.getId(), 0)));
    }
}

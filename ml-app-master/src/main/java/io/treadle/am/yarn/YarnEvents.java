// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.yarn;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.UpdateContainerError;
import org.apache.hadoop.yarn.api.records.UpdatedContainer;
import org.apache.hadoop.yarn.client.api.async.AMRMClientAsync;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes the ResourceManager's word on to the application; what it says before {@link #connect} is kept until then. */
public final class YarnEvents extends AMRMClientAsync.AbstractCallbackHandler
        implements ResourceManagerClient.Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(YarnEvents.class);

    private static final Set<Integer> BLAMELESS = Set.of(
            ContainerExitStatus.ABORTED,
            ContainerExitStatus.DISKS_FAILED,
            ContainerExitStatus.PREEMPTED,
            ContainerExitStatus.KILLED_BY_RESOURCEMANAGER,
            ContainerExitStatus.KILLED_AFTER_APP_COMPLETION);

    private record Target(YarnRmGateway rm, ContainerEvents application) {}

    private final Runnable onShutdown;
    /** What came before there was an application. Guards itself and what follows. */
    private final List<Consumer<Target>> early = new ArrayList<>();

    private final Map<String, Container> inherited = new LinkedHashMap<>();
    private final Set<String> earlyEnded = new HashSet<>();
    /** The ResourceManager says no more. */
    private boolean isOver;

    private volatile @Nullable Target target;

    /** @param onShutdown the ResourceManager wants this attempt to end without a word */
    public YarnEvents(Runnable onShutdown) {
        this.onShutdown = onShutdown;
    }

    /** From now on the application hears all, beginning with what was said before. */
    public void connect(YarnRmGateway rm, ContainerEvents application) {
        Target to = new Target(rm, application);
        synchronized (early) {
            early.forEach(event -> event.accept(to));
            early.clear();
            takeLate(to, List.copyOf(inherited.values()));
            inherited.clear();
            target = to;
        }
    }

    /**
     * Waits for containers of an earlier ApplicationMaster. A ResourceManager that has just taken over, too, knows them only when
     * their nodes have registered, and tells of them in its answers to heartbeats. Call it before {@link #connect}.
     *
     * @param ids of those that are missing; one that has ended is not waited for
     * @return those that came, of whatever id; they are the caller's
     */
    public List<Container> awaitInherited(Set<String> ids, long patienceMs) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
        synchronized (early) {
            while (!isOver && !ids.stream().allMatch(id -> inherited.containsKey(id) || earlyEnded.contains(id))) {
                long leftMs = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (leftMs <= 0) {
                    break;
                }
                early.wait(leftMs);
            }
            List<Container> came = List.copyOf(inherited.values());
            inherited.clear();
            return came;
        }
    }

    private void pass(Consumer<Target> event) {
        Target to;
        synchronized (early) {
            to = target;
            if (to == null) {
                early.add(event);
            }
        }
        if (to != null) {
            event.accept(to);
        }
    }

    @Override
    public void onContainersAllocated(List<Container> containers) {
        pass(to -> to.application().onGranted(to.rm().granted(containers)));
    }

    @Override
    public void onContainersReceivedFromPreviousAttempts(List<Container> containers) {
        Target to;
        synchronized (early) {
            to = target;
            if (to == null) {
                containers.forEach(c -> inherited.put(c.getId().toString(), c));
                early.notifyAll();
            }
        }
        if (to != null) {
            takeLate(to, containers);
        }
    }

    /** These repeat what the registration has told; only late ones are strange to the application. */
    private static void takeLate(Target to, List<Container> containers) {
        for (Container container : containers) {
            GrantedContainer known = to.rm().known(container);
            if (!to.application().owns(known.id())) {
                LOG.info("container {} of an earlier attempt came late, released", known.id());
                to.rm().release(known.id());
            }
        }
    }

    @Override
    public void onContainersCompleted(List<ContainerStatus> statuses) {
        synchronized (early) {
            if (target == null) {
                statuses.forEach(s -> earlyEnded.add(s.getContainerId().toString()));
                early.notifyAll();
            }
        }
        pass(to -> {
            to.application().onLost(statuses.stream().map(YarnEvents::lost).toList());
            statuses.forEach(s -> to.rm().ended(s.getContainerId().toString()));
        });
    }

    private static LostContainer lost(ContainerStatus status) {
        return new LostContainer(
                status.getContainerId().toString(),
                status.getExitStatus(),
                BLAMELESS.contains(status.getExitStatus()),
                String.valueOf(status.getDiagnostics()).strip());
    }

    @Override
    public void onContainersUpdated(List<UpdatedContainer> updates) {
        pass(to -> {
            for (UpdatedContainer update : updates) {
                Container container = update.getContainer();
                to.rm().updated(container);
                to.application()
                        .onResized(
                                container.getId().toString(),
                                container.getResource().getVirtualCores(),
                                container.getResource().getMemorySize(),
                                container.getVersion());
            }
        });
    }

    @Override
    public void onUpdatesRefused(List<UpdateContainerError> errors) {
        pass(to -> to.rm().refused(errors));
    }

    @Override
    public void onPreemptionMessageReceived(PreemptionMessage message) {
        Set<String> wanted = new HashSet<>();
        if (message.getStrictContract() != null) {
            message.getStrictContract()
                    .getContainers()
                    .forEach(c -> wanted.add(c.getId().toString()));
        }
        if (message.getContract() != null) {
            message.getContract()
                    .getContainers()
                    .forEach(c -> wanted.add(c.getId().toString()));
        }
        if (message.getContract() != null || message.getStrictContract() != null) {
            pass(to -> to.application().onPreemptionMessage(wanted));
        }
    }

    @Override
    public void onShutdownRequest() {
        over();
    }

    private void over() {
        onShutdown.run();
        synchronized (early) {
            isOver = true;
            early.notifyAll();
        }
    }

    @Override
    public void onNodesUpdated(List<NodeReport> nodes) {}

    @Override
    public float getProgress() {
        Target to = target;
        return to == null ? 0 : to.application().progress();
    }

    @Override
    public void onError(Throwable cause) {
        LOG.error("the ResourceManager's client has failed", cause);
        over();
    }
}

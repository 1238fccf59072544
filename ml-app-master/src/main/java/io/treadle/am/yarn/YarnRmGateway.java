// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.yarn;

import io.treadle.am.launch.YarnResources;
import io.treadle.core.wire.GangSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.UpdateContainerError;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.async.AMRMClientAsync;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ResourceManager through Hadoop's client. Asks are matched by their request id alone: the scheduler may grant
 * another size than was asked for.
 */
public final class YarnRmGateway implements RmGateway {
    private static final Logger LOG = LoggerFactory.getLogger(YarnRmGateway.class);

    /** The ResourceManager's reason for a refusal where the version of the container's token is not its own. */
    private static final String OUTDATED = "INCORRECT_CONTAINER_VERSION_ERROR";

    private final AMRMClientAsync<ContainerRequest> client;
    private final List<Resource> sizes;
    private final Map<Integer, Deque<ContainerRequest>> open = new HashMap<>();
    private final Map<String, Container> containers = new ConcurrentHashMap<>();
    /** What was last asked for a container by an update. */
    private final Map<String, Update> asked = new ConcurrentHashMap<>();
    /**
     * Versions of container tokens as refusals tell them: a ResourceManager that took over may count on from higher ones, and
     * stock YARN's from lower ones.
     */
    private final Map<String, Integer> versions = new ConcurrentHashMap<>();

    private final RmLink link;

    private record Update(ContainerUpdateType type, Resource target) {
        /** What Hadoop's client throws an exception for otherwise: the container may have got another size meanwhile. */
        boolean isPossibleFrom(Resource size) {
            return type == ContainerUpdateType.INCREASE_RESOURCE
                    ? Resources.fitsIn(size, target)
                    : Resources.fitsIn(target, size);
        }
    }

    /** @param sizes what is asked for: for each task group of a job */
    public YarnRmGateway(AMRMClientAsync<ContainerRequest> client, RmLink link, List<Resource> sizes) {
        this.client = client;
        this.link = link;
        this.sizes = List.copyOf(sizes);
    }

    @Override
    public void ask(int group, int count) {
        int requestId = GangSpec.requestIdOf(group);
        for (int i = 0; i < count; i++) {
            ContainerRequest request = ContainerRequest.newBuilder()
                    .capability(sizes.get(group))
                    .priority(Priority.newInstance(requestId))
                    .allocationRequestId(requestId)
                    .relaxLocality(true)
                    .build();
            // At once for both: a grant in between would withdraw what the client has not heard of.
            synchronized (open) {
                open.computeIfAbsent(requestId, id -> new ArrayDeque<>()).add(request);
                client.addContainerRequest(request);
            }
        }
    }

    @Override
    public void askNoMore() {
        List<ContainerRequest> withdrawn = new ArrayList<>();
        synchronized (open) {
            open.values().forEach(withdrawn::addAll);
            open.clear();
        }
        withdrawn.forEach(client::removeContainerRequest);
    }

    /** Takes note of new containers: their asks are fulfilled and must not be sent again. */
    public List<GrantedContainer> granted(List<Container> newContainers) {
        List<GrantedContainer> granted = new ArrayList<>();
        for (Container container : newContainers) {
            ContainerRequest fulfilled;
            synchronized (open) {
                Deque<ContainerRequest> requests = open.get((int) container.getAllocationRequestId());
                fulfilled = requests == null ? null : requests.poll();
            }
            if (fulfilled != null) {
                client.removeContainerRequest(fulfilled);
            }
            granted.add(known(container));
        }
        return granted;
    }

    /**
     * Takes note of a container, also of one from an earlier attempt. The ResourceManager tells of those again with each decrease,
     * and then of the size before it.
     */
    public GrantedContainer known(Container container) {
        containers.merge(
                container.getId().toString(), container, (old, now) -> now.getVersion() < old.getVersion() ? old : now);
        return new GrantedContainer(
                container.getId().toString(),
                container.getNodeId().getHost(),
                container.getNodeHttpAddress(),
                (int) container.getAllocationRequestId(),
                container.getResource().getVirtualCores(),
                container.getResource().getMemorySize(),
                container.getVersion());
    }

    Container container(String containerId) {
        Container container = containers.get(containerId);
        if (container == null) {
            throw new IllegalStateException("container " + containerId + " was never granted");
        }
        return container;
    }

    void updated(Container container) {
        containers.computeIfPresent(container.getId().toString(), (id, old) -> {
            // The ResourceManager leaves these out of its word on an update.
            container.setNodeHttpAddress(old.getNodeHttpAddress());
            return container;
        });
        versions.remove(container.getId().toString());
    }

    void ended(String containerId) {
        containers.remove(containerId);
        asked.remove(containerId);
        versions.remove(containerId);
    }

    @Override
    public void release(String containerId) {
        Container container = containers.remove(containerId);
        ended(containerId);
        if (container != null) {
            client.releaseAssignedContainer(container.getId());
        }
    }

    @Override
    public void resize(String containerId, int version, long from, long to) {
        resize(containerId, version, from, to, "vcores", target -> target.setVirtualCores(Math.toIntExact(to)));
    }

    @Override
    public void resizePower(String containerId, int version, long from, long to) {
        resize(containerId, version, from, to, "W", target -> target.setResourceValue(YarnResources.POWER, to));
    }

    private void resize(String containerId, int version, long from, long to, String unit, Consumer<Resource> change) {
        Container container = containers.get(containerId);
        if (container == null) {
            return;
        }
        Resource target = Resource.newInstance(container.getResource());
        change.accept(target);
        ContainerUpdateType type =
                to < from ? ContainerUpdateType.DECREASE_RESOURCE : ContainerUpdateType.INCREASE_RESOURCE;
        Update update = new Update(type, target);
        // Also what cannot be asked for is wanted now, in place of what was.
        asked.put(containerId, update);
        if (update.isPossibleFrom(container.getResource())) {
            send(container, version, update);
        } else {
            LOG.info(
                    "{} is not asked to go from {} to {} {}: it has {}",
                    containerId,
                    from,
                    to,
                    unit,
                    container.getResource());
        }
    }

    private void send(Container known, int version, Update update) {
        String id = known.getId().toString();
        int newest = versions.getOrDefault(id, Math.max(known.getVersion(), version));
        // Hadoop's client sends the version of the container, whatever the request says.
        Container container = known.getVersion() == newest ? known : withVersion(known, newest);
        // Where an update has come meanwhile, that stays.
        containers.replace(id, known, container);
        client.requestContainerUpdate(
                container,
                UpdateContainerRequest.newInstance(newest, container.getId(), update.type(), update.target(), null));
    }

    /** A copy: Hadoop's client may be reading the container now. */
    private static Container withVersion(Container container, int version) {
        Container copy = Container.newInstance(
                container.getId(),
                container.getNodeId(),
                container.getNodeHttpAddress(),
                container.getResource(),
                container.getPriority(),
                container.getContainerToken(),
                container.getExecutionType());
        copy.setAllocationRequestId(container.getAllocationRequestId());
        copy.setVersion(version);
        return copy;
    }

    /**
     * The ResourceManager has refused updates. What carried an outdated version is asked again at once with the right one,
     * as long as it is still wanted and the container has no other size by now; who wants anything else asks again by itself.
     * This runs in the thread of the heartbeats: what is thrown here ends the ApplicationMaster.
     */
    void refused(List<UpdateContainerError> errors) {
        for (UpdateContainerError error : errors) {
            UpdateContainerRequest request = error.getUpdateContainerRequest();
            String id = request.getContainerId().toString();
            Container container = containers.get(id);
            Update last = asked.get(id);
            if (container == null || last == null) {
                continue;
            }
            int version = error.getCurrentContainerVersion();
            if (!OUTDATED.equals(error.getReason()) || version == request.getContainerVersion()) {
                LOG.info("an update of {} to {} is refused: {}", id, request.getCapability(), error.getReason());
                continue;
            }
            versions.put(id, version);
            if (last.target().equals(request.getCapability()) && last.isPossibleFrom(container.getResource())) {
                LOG.info(
                        "an update of {} to {} is asked again with version {} in place of {}",
                        id,
                        request.getCapability(),
                        version,
                        request.getContainerVersion());
                send(container, version, last);
            }
        }
    }

    @Override
    public boolean hears() {
        return link.hears();
    }

    @Override
    public Optional<String> refusal() {
        return link.refusedAsks().describe();
    }
}

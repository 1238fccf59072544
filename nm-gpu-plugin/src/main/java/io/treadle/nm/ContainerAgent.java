// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import io.treadle.core.wire.EnergyFile;
import io.treadle.core.wire.WorkerEnvironment;
import io.treadle.nm.device.DeviceAsk;
import io.treadle.nm.device.DeviceBook;
import io.treadle.nm.device.Grant;
import io.treadle.nm.isolation.ControlDirectory;
import io.treadle.nm.isolation.CpuCgroups;
import io.treadle.nm.isolation.DockerDevices;
import io.treadle.nm.isolation.ExecutorCgroups;
import io.treadle.nm.isolation.ImageMounts;
import io.treadle.nm.isolation.LaunchEnvironment;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the containers of one NodeManager: devices, environment, control files and CPU limits. Memory is changed at
 * once, in the NodeManager's dispatcher thread; files that a slow disk could hold up are written by {@code io}, one after
 * the other, from what is true when their turn comes.
 */
final class ContainerAgent {
    private static final Logger LOG = LoggerFactory.getLogger(ContainerAgent.class);

    private final DeviceBook book;
    private final GrantStore store;
    private final ControlDirectory control;
    private final LaunchEnvironment environment;
    private final ImageMounts images;
    private final DockerDevices dockerDevices;
    private final Optional<CpuCgroups> cgroups;
    private final ExecutorCgroups executorCgroups;
    private final Map<ContainerId, Container> containers;
    private final Executor io;
    private final Map<String, ContainerSizes> sizes = new ConcurrentHashMap<>();

    /** @param containers the NodeManager's live map of its containers */
    ContainerAgent(
            DeviceBook book,
            GrantStore store,
            ControlDirectory control,
            LaunchEnvironment environment,
            ImageMounts images,
            DockerDevices dockerDevices,
            Optional<CpuCgroups> cgroups,
            ExecutorCgroups executorCgroups,
            Map<ContainerId, Container> containers,
            Executor io) {
        this.book = book;
        this.store = store;
        this.control = control;
        this.environment = environment;
        this.images = images;
        this.dockerDevices = dockerDevices;
        this.cgroups = cgroups;
        this.executorCgroups = executorCgroups;
        this.containers = containers;
        this.io = io;
    }

    /** A container that is new, or that ran on while the NodeManager was restarted. */
    void starting(Container container) {
        String id = id(container);
        restoreAll();
        DeviceAsk ask = ContainerSizes.ask(container.getContainerTokenIdentifier());
        boolean restored = book.knows(id);
        List<Grant> grants = book.grant(id, ask);
        if (!restored && !grants.isEmpty()) {
            store.save(container, grants);
        }
        tell(id, ask, grants);
        sizes.put(id, ContainerSizes.of(container.getContainerTokenIdentifier()));
        prepare(container);
        io.execute(() -> {
            // Of one that ran on: the NodeManager may have ended between its new size and its cgroup.
            executorCgroups.apply(container);
            write(id);
        });
    }

    /** Puts the variables into the context from which the container is launched, or launched again. */
    void prepare(Container container) {
        String id = id(container);
        ContainerLaunchContext context = container.getLaunchContext();
        ContainerSizes now = sizes.get(id);
        if (context == null || now == null) {
            return;
        }
        context.getEnvironment().putAll(environment.of(control.of(id), book.grants(id), limit(container, now)));
        if (images.ignoresImage(context.getEnvironment())) {
            context.getEnvironment().put(WorkerEnvironment.IMAGE_IGNORED, "true");
        }
        if (images.wantsControlDirectory(context.getEnvironment())) {
            control.make(id);
            images.mount(control.of(id), context.getEnvironment());
        }
        if (images.runtime(context.getEnvironment()).isPresent()) {
            dockerDevices.attach(book::grants);
        }
    }

    /** Our own CPU cgroup; none for a container from an image, which sees no cgroups of the node and has YARN's. */
    private Optional<Path> limit(Container container, ContainerSizes now) {
        ContainerLaunchContext context = container.getLaunchContext();
        boolean fromImage =
                context != null && images.runtime(context.getEnvironment()).isPresent();
        return fromImage ? Optional.empty() : cgroups.flatMap(c -> c.limit(id(container), now.vcores()));
    }

    /** A container whose token, and with it its size, has changed. */
    void resized(Container container) {
        String id = id(container);
        if (!sizes.containsKey(id)) {
            return;
        }
        ContainerSizes now = ContainerSizes.of(container.getContainerTokenIdentifier());
        sizes.put(id, now);
        DeviceAsk ask = ContainerSizes.ask(container.getContainerTokenIdentifier());
        Set<String> changed = book.update(id, ask);
        List<Grant> grants = book.grants(id);
        if (changed.contains(id)) {
            store.save(container, grants);
            tell(id, ask, grants);
        } else if (ask.chosen().isEmpty()
                && ask.sliceMiB() > 0
                && grants.stream().noneMatch(ask::isMetBy)) {
            LOG.warn(
                    "{} grows to {} MiB of GPU memory, which its device has not free; it keeps {}",
                    id,
                    ask.sliceMiB(),
                    grants);
        }
        var unused = limit(container, now);
        io.execute(() -> {
            executorCgroups.apply(container);
            write(id);
            changed.forEach(this::write);
        });
    }

    /** A container that is being killed or has exited, and is not yet cleaned up. */
    void leaving(Container container) {
        book.dying(id(container));
    }

    void ended(Container container) {
        forget(id(container));
        store.forget(container);
    }

    /** Notes which devices do not answer at present. */
    void lost(Set<String> uuids) {
        Set<String> changed = book.lost(uuids);
        io.execute(() -> changed.forEach(this::write));
    }

    /** What each container's GPUs have spent, by its id. */
    void spent(Map<String, EnergyFile> energies) {
        if (!energies.isEmpty()) {
            io.execute(() -> energies.forEach(control::write));
        }
    }

    /** Who holds which device. */
    DeviceBook book() {
        return book;
    }

    /** Mends what events alone do not: removed control files, cgroups that were in use, containers that vanished. */
    void reconcile() {
        // In this order: a container is in the NodeManager's map before it is in ours.
        Set<String> known = new HashSet<>(sizes.keySet());
        known.addAll(book.containers());
        Set<String> live = live();
        known.stream().filter(id -> !live.contains(id)).forEach(id -> {
            LOG.warn("{} has gone without an end; taking its devices back", id);
            forget(id);
        });
        io.execute(control::mend);
        io.execute(() -> cgroups.ifPresent(CpuCgroups::retry));
    }

    /** Removes what containers left that ended while the NodeManager was not running. */
    void sweep() {
        Set<String> live = live();
        io.execute(() -> {
            Set<String> swept = control.sweep(live);
            cgroups.ifPresent(c -> swept.forEach(c::remove));
        });
    }

    private Set<String> live() {
        Set<String> live = new HashSet<>();
        containers.keySet().forEach(id -> live.add(id.toString()));
        return live;
    }

    /** After a restart every old container has its devices back before a new one is given any. */
    private void restoreAll() {
        containers.forEach((id, container) -> {
            if (!book.knows(id.toString()) && container.getContainerState() != ContainerState.DONE) {
                var stored = store.load(container);
                if (!stored.isEmpty()) {
                    List<Grant> restored = book.restore(id.toString(), stored);
                    if (restored.size() == stored.size()) {
                        LOG.info("{} keeps {} after the restart", id, restored);
                    } else {
                        LOG.error("{} had {} before the restart, of which this node now has {}", id, stored, restored);
                    }
                }
            }
        });
    }

    private void forget(String id) {
        sizes.remove(id);
        Set<String> ready = book.release(id);
        io.execute(() -> {
            control.delete(id);
            cgroups.ifPresent(c -> c.remove(id));
            ready.forEach(this::write);
        });
    }

    private void write(String id) {
        ContainerSizes now = sizes.get(id);
        if (now != null) {
            control.write(id, now.toFile(book.grants(id)));
        }
    }

    private static void tell(String id, DeviceAsk ask, List<Grant> grants) {
        if (!ask.chosen().isEmpty()
                && !Set.copyOf(ask.chosen())
                        .equals(grants.stream().map(Grant::tag).collect(Collectors.toSet()))) {
            LOG.error("{}: the scheduler chose {}, which this node cannot give; it gives {}", id, ask.chosen(), grants);
        } else if (grants.size() < (ask.sliceMiB() > 0 ? 1 : ask.gpus())) {
            LOG.error(
                    "{} asks for {} GPUs and {} MiB of GPU memory on one device, the node has {} for it.\nMaybe a"
                            + " device was lost; 'treadle devices' shows them",
                    id,
                    ask.gpus(),
                    ask.sliceMiB(),
                    grants);
        } else if (grants.stream().anyMatch(g -> g.state() == Grant.State.PENDING)) {
            LOG.info("{} waits for devices that an ending container holds: {}", id, grants);
        } else if (!grants.isEmpty()) {
            LOG.info("{} has {}", id, grants);
        }
    }

    private static String id(Container container) {
        return container.getContainerId().toString();
    }
}

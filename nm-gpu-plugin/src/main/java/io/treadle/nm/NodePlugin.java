// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import io.treadle.core.wire.NodePower;
import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.conf.ProviderChoice;
import io.treadle.nm.device.CapacityAdvertiser;
import io.treadle.nm.device.DeviceBook;
import io.treadle.nm.device.DeviceProbe;
import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.device.NodeCapacity;
import io.treadle.nm.isolation.ControlDirectory;
import io.treadle.nm.isolation.CpuCgroups;
import io.treadle.nm.isolation.DockerDevices;
import io.treadle.nm.isolation.ExecutorCgroups;
import io.treadle.nm.isolation.ImageMounts;
import io.treadle.nm.isolation.LaunchEnvironment;
import io.treadle.nm.power.CapLease;
import io.treadle.nm.power.PowerCaps;
import io.treadle.nm.storage.StorageBandwidth;
import io.treadle.nm.telemetry.ContainerEnergy;
import io.treadle.nm.telemetry.DeviceMetrics;
import io.treadle.nm.telemetry.DeviceMonitor;
import io.treadle.nm.telemetry.DriverWatch;
import io.treadle.nm.telemetry.NodeEnergy;
import io.treadle.nm.telemetry.NodePublisher;
import io.treadle.nm.telemetry.RecordSink;
import io.treadle.nm.telemetry.ZooKeeperSink;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All of Treadle in one NodeManager. Two threads: one writes files, one reads the devices, so that a driver that hangs
 * holds up no container. Hadoop gives listeners no end of life, so the plugin looks whether its NodeManager has stopped.
 */
final class NodePlugin {
    private static final Logger LOG = LoggerFactory.getLogger(NodePlugin.class);
    private static final String BUILT_IN_PLUGINS = "yarn.nodemanager.resource-plugins";

    private static final long DRIVER_WATCH_MS = 60_000;
    private static final long END_OF_PROCESS_MS = 10_000;

    private final NodeConf conf;
    private final Context context;
    private final DeviceProvider provider;
    private final ContainerAgent agent;
    private final DeviceMonitor monitor;
    private final RecordSink sink;
    private final NodePublisher publisher;
    private final CapLease lease;
    private final Optional<PowerCaps> caps;
    private final Optional<NodeEnergy> energy;
    private final DeviceMetrics metrics;
    private final Optional<DriverWatch> driverWatch;
    private final Optional<CpuCgroups> cgroups;
    private final ExecutorService io;
    private final ScheduledExecutorService telemetry;
    private final Runnable atEndOfProcess = this::endOfProcess;
    private boolean known;

    private NodePlugin(NodeConf conf, Context context, Clock clock, DeviceProbe.Discovery discovery) {
        this.conf = conf;
        this.context = context;
        this.provider = discovery.provider();
        List<GpuDevice> devices = provider.devices();
        this.driverWatch = devices.isEmpty() && conf.provider() != ProviderChoice.NONE
                ? Optional.of(new DriverWatch(
                        () -> DeviceProbe.discover(conf, clock), discovery.notes(), clock, DRIVER_WATCH_MS))
                : Optional.empty();
        this.io = Executors.newSingleThreadExecutor(daemon("treadle-files-" + conf.nodeName()));
        this.telemetry = Executors.newSingleThreadScheduledExecutor(daemon("treadle-devices-" + conf.nodeName()));
        this.cgroups = CpuCgroups.open(conf);
        DeviceBook book = new DeviceBook(devices);
        this.agent = new ContainerAgent(
                book,
                new GrantStore(context.getNMStateStore()),
                new ControlDirectory(conf.controlDir()),
                new LaunchEnvironment(
                        devices.isEmpty() ? Optional.empty() : Optional.of(provider.vendor()), conf.vcoreCores()),
                new ImageMounts(context.getConf()),
                DockerDevices.of(conf.dockerDevices(), context, provider),
                cgroups,
                ExecutorCgroups.ofNodeManager(context.getConf()),
                context.getContainers(),
                this::later);
        this.metrics = new DeviceMetrics(provider.name());
        this.monitor = new DeviceMonitor(provider, book, clock);
        this.energy = devices.isEmpty()
                ? Optional.empty()
                : Optional.of(NodeEnergy.open(conf, provider, book, this::leader, clock));
        this.sink = ZooKeeperSink.open(conf);
        this.publisher = new NodePublisher(sink, clock, conf.publishIntervalMs());
        this.lease = new CapLease(clock);
        this.caps = !devices.isEmpty() && PowerCaps.isNeeded(conf)
                ? Optional.of(PowerCaps.open(conf, provider, lease, clock))
                : Optional.empty();
    }

    /** The id of a container's first process, as the NodeManager has it; empty before it has started. */
    private OptionalLong leader(String container) {
        ContainerExecutor executor = context.getContainerExecutor();
        String pid = executor == null ? null : executor.getProcessId(ContainerId.fromString(container));
        return pid != null && pid.matches("[0-9]{1,18}") ? OptionalLong.of(Long.parseLong(pid)) : OptionalLong.empty();
    }

    /** Finds the devices and advertises them; {@link #start} begins to watch them. */
    static NodePlugin create(NodeConf conf, Context context, Clock clock) {
        DeviceProbe.Discovery discovery = DeviceProbe.discover(conf, clock);
        List<GpuDevice> devices = discovery.provider().devices();
        if (devices.isEmpty()) {
            LOG.info("no GPUs, a CPU node: {}", String.join("; ", discovery.notes()));
        } else {
            discovery.notes().forEach(note -> LOG.warn("passed over: {}", note));
            LOG.info("devices from {}: {}", discovery.provider().name(), devices);
        }
        warnOfBuiltIn(context.getConf());
        NodePlugin plugin = new NodePlugin(conf, context, clock, discovery);
        // Before the limits are advertised: those that a crash has left are none of the node's own.
        plugin.caps.ifPresent(PowerCaps::start);
        plugin.lookForLost();
        List<GpuDevice> working = plugin.caps.map(caps -> caps.withOwnLimits(devices)).orElse(devices).stream()
                .filter(device -> !plugin.monitor.lost().contains(device.uuid()))
                .toList();
        // Last: whatever fails before leaves a CPU node that advertises nothing.
        CapacityAdvertiser.advertise(NodeCapacity.of(working, conf, StorageBandwidth.atStart(conf)), context.getConf());
        return plugin;
    }

    void start() {
        // Hadoop's own hook stops the NodeManager first; then our threads, being daemons, would never look again.
        ShutdownHookManager.get().addShutdownHook(atEndOfProcess, NodeManager.SHUTDOWN_HOOK_PRIORITY - 1);
        var unused = telemetry.scheduleWithFixedDelay(this::tick, 0, conf.telemetryIntervalMs(), TimeUnit.MILLISECONDS);
    }

    ContainerAgent agent() {
        return agent;
    }

    private void tick() {
        try {
            if (nodeManagerStopped()) {
                stop();
                return;
            }
            lookForLost();
            caps.ifPresent(c -> c.follow(agent.book().holders().keySet(), monitor.lost()));
            var nodeId = context.getNodeId(); // Known once the NodeManager listens.
            if (nodeId != null) {
                if (!known) {
                    known = true;
                    agent.sweep();
                    caps.ifPresent(c -> sink.watchCaps(nodeId.toString(), lease));
                }
                agent.reconcile();
                var node = monitor.record(
                        nodeId.toString(),
                        caps.map(PowerCaps::states).orElse(Map.of()),
                        caps.map(PowerCaps::ranges).orElse(Map.of()),
                        energy.map(e -> e.read(
                                monitor.readings(), caps.map(PowerCaps::epoch).orElse(0L))));
                node.power().ifPresent(this::tellContainers);
                metrics.update(node);
                publisher.offer(node);
                driverWatch.ifPresent(watch -> watch.look(node.node()));
            }
        } catch (Throwable e) {
            LOG.error("reading the devices went wrong; trying again in {} ms", conf.telemetryIntervalMs(), e);
        }
    }

    private void tellContainers(NodePower power) {
        agent.spent(ContainerEnergy.of(
                agent.book(),
                monitor.readings(),
                caps.map(PowerCaps::ranges).orElseGet(Map::of),
                power.containers(),
                monitor.readMs()));
    }

    private void lookForLost() {
        monitor.read();
        agent.lost(monitor.lost());
    }

    private boolean nodeManagerStopped() {
        return context.getContainerManager() instanceof Service service && service.isInState(Service.STATE.STOPPED);
    }

    /** Hands a task to the thread that writes files; after the end there is nothing to write any more. */
    private void later(Runnable task) {
        if (!io.isShutdown()) {
            io.execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException e) {
                    LOG.error("writing a container's files went wrong", e);
                }
            });
        }
    }

    /** Ends both threads, leaves ZooKeeper and the metrics. Control directories stay: containers may run on. */
    synchronized void stop() {
        if (io.isShutdown()) {
            return;
        }
        LOG.info("NodeManager {} has stopped", conf.nodeName());
        publisher.close();
        metrics.close();
        driverWatch.ifPresent(DriverWatch::close);
        // By the thread that sets limits, after what it is doing now; a driver that hangs may keep it for ever.
        telemetry.execute(() -> {
            caps.ifPresent(PowerCaps::close);
            provider.close();
        });
        telemetry.shutdown();
        if (!ShutdownHookManager.get().isShutdownInProgress()) {
            ShutdownHookManager.get().removeShutdownHook(atEndOfProcess);
        }
        io.execute(() -> cgroups.ifPresent(CpuCgroups::close));
        io.shutdown();
    }

    /** Limits that are not restored here wait in the journal for the next start. */
    private void endOfProcess() {
        stop();
        try {
            if (!telemetry.awaitTermination(END_OF_PROCESS_MS, TimeUnit.MILLISECONDS)) {
                LOG.warn("the devices have not answered within {} ms: limits may not be restored", END_OF_PROCESS_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** True when both threads have done their last work after {@link #stop}. */
    boolean hasEnded() {
        return io.isTerminated() && telemetry.isTerminated();
    }

    private static void warnOfBuiltIn(Configuration conf) {
        if (Arrays.asList(conf.getTrimmedStrings(BUILT_IN_PLUGINS)).contains(NodeCapacity.GPU)) {
            LOG.warn(
                    "{} has {}: Hadoop's own plugin and Treadle both give out GPUs.\nMaybe remove it there",
                    BUILT_IN_PLUGINS,
                    NodeCapacity.GPU);
        }
    }

    private static ThreadFactory daemon(String name) {
        return runnable -> {
            Thread thread = new Thread(runnable, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}

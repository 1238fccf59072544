// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.NodeBase;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.BareManager;
import org.apache.hadoop.yarn.server.resourcemanager.RMContextImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeRemovedSchedulerEvent;
import org.apache.hadoop.yarn.util.YarnVersionInfo;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/** A ResourceManager with registered nodes and running applications. Used by one thread. */
final class BenchCluster implements AutoCloseable {
    static final int NODE_VCORES = 128;
    static final int NODE_MIB = 256 * 1024;
    /** So many nodes have GPUs, but no more than half of all. */
    private static final int MOST_GPU_NODES = 200;

    private static final int TASK_VCORES = NODE_VCORES / 8;
    private static final int TASK_MIB = NODE_MIB / 8;
    /** Of one job without GPUs, whose page is read; it takes no more than half of the nodes that have none. */
    private static final int LARGE_JOB_TASKS = 8_000;

    private static final int SMALL_TASK_MIB = 1024;
    static final int GPUS = 8;
    private static final String GPU = "yarn.io/gpu";
    private static final long PATIENCE_NANOS = 1_800_000_000_000L;
    private static final int PAUSE_NANOS = 1_000_000;
    /** Above the ids of containers that the scheduler gives. */
    private static final long RECOVERED = 1L << 30;

    private final Setting setting;
    private final BareManager manager = new BareManager();
    private final List<BenchNode> nodes = new ArrayList<>();
    private final Map<NodeId, BenchNode> byId = new HashMap<>();
    private final List<Master> applications = new ArrayList<>();
    private final List<Master> jobs = new ArrayList<>();
    private long recovered;

    private BenchCluster(Setting setting) {
        this.setting = setting;
    }

    /** @throws IllegalStateException if it does not come to run in minutes */
    static BenchCluster start(Setting setting, Path directory) throws Exception {
        DefaultMetricsSystem.setMiniClusterMode(true);
        QueueMetrics.clearQueueMetrics();
        BenchCluster cluster = new BenchCluster(setting);
        Configuration conf = BenchSettings.of(setting, directory);
        var unused = ResourceUtils.resetResourceTypes(conf);
        cluster.manager.init(conf);
        cluster.manager.start();
        // Hadoop sets it where it has a store for its state, of which nothing is measured here.
        ((RMContextImpl) cluster.manager.getRMContext()).setWorkPreservingRecoveryEnabled(true);
        cluster.start();
        return cluster;
    }

    /** Of a cluster of so many. */
    static int gpuNodes(int nodes) {
        return Math.min(MOST_GPU_NODES, nodes / 2);
    }

    Setting setting() {
        return setting;
    }

    CapacityScheduler scheduler() {
        return (CapacityScheduler) manager.getResourceScheduler();
    }

    List<BenchNode> nodes() {
        return nodes;
    }

    /** The plain ones. */
    List<Master> applications() {
        return applications;
    }

    /** Jobs of Treadle's, or the applications in their place. */
    List<Master> jobs() {
        return jobs;
    }

    /** Starts the ResourceManager's pages. @return their port */
    int startPages() throws IOException {
        return manager.startPages();
    }

    private void start() throws Exception {
        int plain = setting.nodes() - gpuNodes(setting.nodes());
        register(0, plain, 0);
        for (int i = 0; i < setting.applications(); i++) {
            applications.add(Master.submit(manager, BenchSettings.plainQueue(i), "YARN", Map.of()));
        }
        launch(applications);
        for (int i = 0; i < setting.gangs(); i++) {
            jobs.add(submitGang(GPUS));
        }
        launch(jobs);
        // Now that all ApplicationMasters have their places: tasks of a gang fill a node with GPUs to the last vcore.
        register(plain, setting.nodes(), GPUS);
        fill();
    }

    private void register(int from, int to, int gpus) throws Exception {
        for (int i = from; i < to; i++) {
            Resource size = Resource.newInstance(NODE_MIB, NODE_VCORES);
            if (setting.types() > 0) {
                size.setResourceValue(GPU, gpus);
            }
            BenchNode node = BenchNode.register(manager, i, size);
            nodes.add(node);
            byId.put(node.id(), node);
        }
        await("the nodes are there", () -> scheduler().getNumClusterNodes() == to);
    }

    /** Waits until every GPU is held. */
    private void fill() throws Exception {
        for (Master gang : jobs) {
            gang.allocate(List.of(gangAsk(GPUS)));
        }
        int run = Math.min(setting.gangs(), gpuNodes(setting.nodes()));
        // Stock gives tasks to the application that is next, and leaves gangs with a part of what they ask for.
        await("gangs run", () -> {
            beat();
            int tasks = 0;
            for (Master gang : jobs) {
                run(gang.allocate(List.of()));
                tasks += gang.held();
            }
            return tasks == run * GPUS;
        });
    }

    /** @param members each with a GPU */
    Master submitGang(int members) throws YarnException, IOException {
        return submitGang(members, ResourceVector.of(1, TASK_VCORES, TASK_MIB));
    }

    private Master submitGang(int members, ResourceVector size) throws YarnException, IOException {
        GangSpec gang = new GangSpec(
                List.of(new GangSpec.Group("worker", members, members, size, List.of())), "", 0, false, 0, "");
        return setting.treadle()
                ? Master.submit(manager, BenchSettings.GANG_QUEUE, GangSpec.APPLICATION_TYPE, gang.toProperties())
                : Master.submit(manager, BenchSettings.GANG_QUEUE, "YARN", Map.of());
    }

    /** Of a cluster of so many nodes. */
    static int largeJobTasks(int nodes) {
        return Math.min(LARGE_JOB_TASKS, (nodes - gpuNodes(nodes)) * NODE_VCORES / 2);
    }

    /** A job of many small tasks, which run. */
    Master startLargeJob() throws Exception {
        int tasks = largeJobTasks(setting.nodes());
        Master master = submitGang(tasks, ResourceVector.of(0, 1, SMALL_TASK_MIB));
        launch(List.of(master));
        master.allocate(List.of(Master.ask(
                Resource.newInstance(SMALL_TASK_MIB, 1), tasks, GangSpec.requestIdOf(0), GangSpec.requestIdOf(0))));
        await("a job of " + tasks + " tasks runs", () -> {
            beat();
            run(master.allocate(List.of()));
            return master.held() == tasks;
        });
        return master;
    }

    static ResourceRequest gangAsk(int members) {
        Resource size = Resource.newInstance(TASK_MIB, TASK_VCORES);
        size.setResourceValue(GPU, 1);
        return Master.ask(size, members, GangSpec.requestIdOf(0), GangSpec.requestIdOf(0));
    }

    /** Waits until their ApplicationMasters run. */
    void launch(List<Master> masters) throws Exception {
        await("ApplicationMasters run", () -> {
            boolean all = masters.stream().allMatch(Master::isLaunched);
            if (!all) {
                beat();
            }
            return all;
        });
        for (Master master : masters) {
            master.register();
            run(List.of(master.container()));
        }
    }

    /** Their nodes say so at the next heartbeat. */
    void run(List<Container> containers) {
        for (Container container : containers) {
            BenchNode node = byId.get(container.getNodeId());
            if (node != null) {
                node.run(container.getId());
            }
        }
    }

    /** Its ApplicationMaster is done, and whatever it holds ends with it. */
    void end(Master master) throws Exception {
        Container container = master.container();
        master.finish();
        BenchNode node = byId.get(container.getNodeId());
        if (node != null) {
            node.end(container.getId());
        }
        await("an application ends", () -> {
            beat();
            return scheduler().getApplicationAttempt(master.attemptId()) == null;
        });
    }

    /** A heartbeat of each node, as NodeManagers send it. */
    void beat() throws YarnException, IOException {
        for (BenchNode node : nodes) {
            node.beat();
        }
    }

    /**
     * As {@code yarn rmadmin -refreshQueues}.
     *
     * @return ms that the scheduler takes for it
     */
    double refresh() throws IOException {
        long begun = System.nanoTime();
        scheduler().reinitialize(new Configuration(manager.getConfig()), manager.getRMContext());
        return (System.nanoTime() - begun) / 1e6;
    }

    /**
     * A node comes that runs containers of a plain application which the scheduler does not know, as after a start of the
     * ResourceManager, and goes.
     *
     * @return ms that the scheduler takes until it knows them
     */
    double recover(int containers) {
        Resource size = Resource.newInstance(NODE_MIB, NODE_VCORES);
        NodeId id = NodeId.newInstance("10.2.0.1", 1);
        RMNode node = new RMNodeImpl(
                id,
                manager.getRMContext(),
                id.getHost(),
                id.getPort(),
                id.getPort() + 1,
                new NodeBase(id.getHost(), NetworkTopology.DEFAULT_RACK),
                size,
                YarnVersionInfo.getVersion());
        List<NMContainerStatus> running = new ArrayList<>();
        for (int i = 0; i < containers; i++) {
            recovered++;
            running.add(NMContainerStatus.newInstance(
                    ContainerId.newContainerId(applications.get(0).attemptId(), RECOVERED + recovered),
                    0,
                    ContainerState.RUNNING,
                    Resource.newInstance(NODE_MIB / containers, 1),
                    "",
                    0,
                    Priority.newInstance(0),
                    System.currentTimeMillis()));
        }
        int before = applications.get(0).live(scheduler());
        long begun = System.nanoTime();
        scheduler().handle(new NodeAddedSchedulerEvent(node, running));
        double millis = (System.nanoTime() - begun) / 1e6;
        int known = applications.get(0).live(scheduler()) - before;
        scheduler().handle(new NodeRemovedSchedulerEvent(node));
        if (known != containers) {
            throw new IllegalStateException(known + " of " + containers + " containers were recovered");
        }
        return millis;
    }

    /** What a wait is for. */
    interface Condition {
        boolean holds() throws Exception;
    }

    static void await(String what, Condition condition) throws Exception {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.holds()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("waited half an hour in vain: " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    @Override
    public void close() {
        manager.stop();
        DefaultMetricsSystem.shutdown();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.cluster;

import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.curator.test.TestingServer;
import org.apache.curator.utils.CloseableUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.webapp.util.WebAppUtils;

/**
 * A ResourceManager, NodeManagers that differ from each other, and ZooKeeper, all in this JVM on free ports. Files live
 * in a temporary directory that {@link #close} deletes after it ended every container. The JVM needs
 * {@code --add-opens java.base/java.lang=ALL-UNNAMED}, as all of Hadoop does on JDK 17.
 */
public final class EmbeddedCluster implements AutoCloseable {
    private static final long CONNECT_MS = 60_000;

    private final List<NodeShape> nodes;
    private final WorkDirectory workDirectory;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CountDownLatch startEnded = new CountDownLatch(1);
    private Optional<TestingServer> zookeeper = Optional.empty();
    private Optional<NodeConfiguredCluster> cluster = Optional.empty();

    private EmbeddedCluster(List<NodeShape> nodes, WorkDirectory workDirectory) {
        this.nodes = nodes;
        this.workDirectory = workDirectory;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Settings with which a client reaches this cluster. */
    public Configuration configuration() {
        return new Configuration(started().getConfig());
    }

    public ResourceManager resourceManager() {
        return started().getResourceManager();
    }

    /** @param index place of the node in the order in which the nodes were given */
    public NodeManager nodeManager(int index) {
        return started().getNodeManager(index);
    }

    /** Ends a node's NodeManager and all that runs there; the ResourceManager finds out by its silence. */
    public void stopNode(int index) {
        QuickStop.stop(List.of(started().getNodeManager(index)));
    }

    public List<NodeShape> nodes() {
        return nodes;
    }

    /** Short name of the node with this YARN id ({@code host:port}); the id itself if it is none of ours. */
    public String nodeName(String nodeId) {
        for (int i = 0; i < nodes.size(); i++) {
            if (nodeId.equals(
                    started().getNodeManager(i).getNMContext().getNodeId().toString())) {
                return nodes.get(i).name();
            }
        }
        return nodeId;
    }

    /** Address of the ResourceManager's web pages, without a path. */
    public String webAddress() {
        return "http://" + WebAppUtils.getRMWebAppURLWithoutScheme(started().getConfig());
    }

    public String zookeeperAddress() {
        return zookeeper.orElseThrow().getConnectString();
    }

    /** Directory of everything that this cluster writes. */
    public Path workDirectory() {
        return workDirectory.path();
    }

    private NodeConfiguredCluster started() {
        return cluster.orElseThrow();
    }

    /**
     * Stops every daemon, ends every container, and deletes the cluster's files. A cluster that is still starting goes no
     * further; that it has come to a halt is waited for, as it would write files again. Idempotent.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            Uninterruptibles.awaitUninterruptibly(startEnded);
            try {
                cluster.ifPresent(running -> {
                    QuickStop.stop(running.nodeManagers().stream()
                            .filter(Objects::nonNull)
                            .toList());
                    QuickStop.forgetMasters(running);
                    running.stop();
                });
            } finally {
                zookeeper.ifPresent(CloseableUtils::closeQuietly);
                ContainerProcesses.end(workDirectory.path());
                workDirectory.delete();
            }
        }
    }

    private void start(
            Function<String, Configuration> settings, List<Function<Configuration, Configuration>> nodeSettings)
            throws Exception {
        try {
            Path path = workDirectory.path();
            System.setProperty("test.build.data", path.resolve("mini").toString());
            Files.createDirectories(path.resolve("history"));
            zookeeper = Optional.of(new TestingServer(
                    -1, Files.createDirectories(path.resolve("zookeeper")).toFile()));
            NodeConfiguredCluster starting = new NodeConfiguredCluster("yarn", nodeSettings);
            cluster = Optional.of(starting);
            checkOpen();
            starting.init(settings.apply(zookeeperAddress()));
            checkOpen();
            starting.start();
            checkOpen();
            if (!starting.waitForNodeManagersToConnect(CONNECT_MS)) {
                throw new IOException(
                        "not all of " + nodes.size() + " NodeManagers registered within " + CONNECT_MS / 1000 + " s");
            }
            WebPipelines.separate(starting.getResourceManager(), starting.nodeManagers());
        } catch (Exception e) {
            startEnded.countDown();
            close();
            throw e;
        } finally {
            startEnded.countDown();
        }
    }

    private void checkOpen() throws InterruptedException {
        if (closed.get()) {
            throw new InterruptedException("the cluster was closed while it started");
        }
    }

    /** What the cluster is made of. */
    public static final class Builder {
        private final List<NodeShape> nodes = new ArrayList<>();
        private final List<QueueShape> queues = new ArrayList<>();
        private final Map<String, String> settings = new LinkedHashMap<>();
        private boolean plugins = true;
        private double vcoreCores = 1;

        public Builder node(NodeShape node) {
            nodes.add(node);
            return this;
        }

        public Builder queue(QueueShape queue) {
            queues.add(queue);
            return this;
        }

        /** A Hadoop setting, over the cluster's own. */
        public Builder setting(String name, String value) {
            settings.put(name, value);
            return this;
        }

        /** Stock CapacityScheduler and NodeManagers, nothing of Treadle. */
        public Builder withoutPlugins() {
            plugins = false;
            return this;
        }

        /** @param cores the part of a real core for which a vcore stands */
        public Builder vcoreCores(double cores) {
            vcoreCores = cores;
            return this;
        }

        /**
         * Starts the cluster and waits until every node is registered.
         *
         * @throws Exception whatever kept a daemon from starting; nothing is left behind
         */
        public EmbeddedCluster start() throws Exception {
            return start(cluster -> {});
        }

        /**
         * As {@link #start()}, for a caller who may have to close the cluster while it starts.
         *
         * @param owner is given the cluster before anything of it runs
         */
        public EmbeddedCluster start(Consumer<EmbeddedCluster> owner) throws Exception {
            if (nodes.isEmpty()) {
                throw new IllegalArgumentException("an embedded cluster has 0 nodes, must have at least 1");
            }
            if (queues.isEmpty()) {
                queues.add(QueueShape.plain("default"));
            }
            EmbeddedCluster cluster = new EmbeddedCluster(List.copyOf(nodes), WorkDirectory.create());
            owner.accept(cluster);
            Path path = cluster.workDirectory();
            double cores = vcoreCores;
            boolean withPlugins = plugins;
            List<Function<Configuration, Configuration>> nodeSettings = nodes.stream()
                    .<Function<Configuration, Configuration>>map(
                            shape -> shared -> ClusterSettings.node(shared, shape, cores, withPlugins, path))
                    .toList();
            cluster.start(
                    zookeeper -> {
                        Configuration shared = ClusterSettings.shared(nodes, queues, withPlugins, zookeeper, path);
                        settings.forEach(shared::set);
                        return shared;
                    },
                    nodeSettings);
            return cluster;
        }
    }
}

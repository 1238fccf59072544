// SPDX-License-Identifier: Apache-2.0
package io.treadle.cluster;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/** The Hadoop settings of an embedded cluster and of each of its nodes. */
final class ClusterSettings {
    static final String SCHEDULER = "io.treadle.rm.scheduler.TreadleScheduler";
    static final String ORDERING_POLICY = "io.treadle.rm.gang.GangOrderingPolicy";
    static final String NODE_LISTENER = "io.treadle.nm.TreadleNodeListener";

    private static final String CAPACITY = "yarn.scheduler.capacity.";
    private static final String NODE = "yarn.nodemanager.treadle.";

    private ClusterSettings() {}

    /** Settings that every daemon and client of the cluster shares. */
    static Configuration shared(
            List<NodeShape> nodes, List<QueueShape> queues, boolean plugins, String zookeeper, Path workDir) {
        YarnConfiguration settings = new YarnConfiguration();
        resourceTypes(settings);
        settings.set("hadoop.zk.address", zookeeper);
        settings.set("hadoop.http.temp.dir", workDir.resolve("web").toString());
        settings.set("hadoop.tmp.dir", workDir.resolve("hadoop").toString());
        settings.set("treadle.history-dir", workDir.resolve("history").toUri().toString());
        settings.set("treadle.staging-dir", workDir.resolve("staging").toUri().toString());
        AmJarFile.find().ifPresent(jar -> settings.set("treadle.am.jar", jar.toString()));
        settings.set(YarnConfiguration.YARN_APPLICATION_CLASSPATH, configuration(workDir) + "," + absoluteClassPath());
        // Ports in node names would tell nodes of one host apart, but then no container ever grows: Hadoop asks for the
        // rest of a growing container at its host's name without the port (ContainerUpdateContext).
        settings.setBoolean(YarnConfiguration.RM_SCHEDULER_INCLUDE_PORT_IN_NODE_NAME, false);
        settings.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 64);
        settings.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_VCORES, 1);
        settings.setInt(
                YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB,
                nodes.stream().mapToInt(NodeShape::memoryMiB).max().orElseThrow());
        settings.setInt(
                YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES,
                nodes.stream().mapToInt(NodeShape::vcores).max().orElseThrow());
        settings.setBoolean("yarn.resourcemanager.auto-update.containers", true);
        settings.setLong(YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS, 200);
        settings.setLong("yarn.client.application-client-protocol.poll-interval-ms", 100);
        settings.set(CAPACITY + "resource-calculator", DominantResourceCalculator.class.getName());
        settings.set(CAPACITY + "maximum-am-resource-percent", "1.0");
        settings.set(CAPACITY + "node-locality-delay", "-1");
        queues(settings, queues, plugins);
        node(settings);
        if (plugins) {
            settings.set(YarnConfiguration.RM_SCHEDULER, SCHEDULER);
            settings.set("yarn.nodemanager.container-state-transition-listener.classes", NODE_LISTENER);
        } else {
            settings.set(
                    YarnConfiguration.RM_SCHEDULER,
                    "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler");
        }
        return settings;
    }

    private static void resourceTypes(Configuration settings) {
        settings.set(
                "yarn.resource-types",
                "yarn.io/gpu,treadle.io/gpu-memory,treadle.io/power,treadle.io/storage-bandwidth");
        settings.set("yarn.resource-types.treadle.io/gpu-memory.units", "Mi");
    }

    /** A configuration directory for applications, as every real cluster has one on their class path. */
    private static Path configuration(Path workDir) {
        Configuration types = new Configuration(false);
        resourceTypes(types);
        Path directory = workDir.resolve("conf");
        try {
            Files.createDirectories(directory);
            try (OutputStream out = Files.newOutputStream(directory.resolve("resource-types.xml"))) {
                types.writeXml(out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("configuration directory " + directory + " cannot be written", e);
        }
        return directory;
    }

    private static void queues(Configuration settings, List<QueueShape> queues, boolean plugins) {
        settings.set(
                CAPACITY + "root.queues", queues.stream().map(QueueShape::name).collect(Collectors.joining(",")));
        float share = 100f / queues.size();
        for (QueueShape queue : queues) {
            String prefix = CAPACITY + "root." + queue.name() + ".";
            settings.setFloat(prefix + "capacity", share);
            settings.setFloat(prefix + "maximum-capacity", 100);
            // One user may fill the cluster while the other queues are idle; times a third, three would fall short of
            // it.
            settings.setFloat(prefix + "user-limit-factor", queues.size() + 1);
            if (plugins && queue.policy().isPresent()) {
                settings.set(prefix + "treadle.policy", queue.policy().get());
                settings.set(prefix + "ordering-policy", ORDERING_POLICY);
            }
        }
    }

    private static void node(Configuration settings) {
        // A full disk of the host says nothing about this short-lived cluster.
        settings.setFloat(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, 99);
        settings.setBoolean(YarnConfiguration.YARN_MINICLUSTER_CONTROL_RESOURCE_MONITORING, false);
        settings.setBoolean(YarnConfiguration.NM_PMEM_CHECK_ENABLED, false);
        settings.setBoolean(YarnConfiguration.NM_VMEM_CHECK_ENABLED, false);
        settings.setBoolean(YarnConfiguration.NM_RECOVERY_ENABLED, false);
        settings.setLong(YarnConfiguration.NM_SLEEP_DELAY_BEFORE_SIGKILL_MS, 1000);
        settings.setInt(YarnConfiguration.NM_CONTAINER_MGR_THREAD_COUNT, 4);
        settings.setInt(YarnConfiguration.NM_LOCALIZER_FETCH_THREAD_COUNT, 2);
        settings.set(
                YarnConfiguration.NM_ADMIN_USER_ENV, "MALLOC_ARENA_MAX=2,JAVA_HOME=" + System.getProperty("java.home"));
    }

    /** What sets one node apart from the others. */
    static Configuration node(Configuration shared, NodeShape shape, double vcoreCores, boolean plugins, Path workDir) {
        // Hadoop caches the resources of "the" node of a JVM in a static; here are several nodes.
        ResourceUtils.resetNodeResources();
        YarnConfiguration settings = new YarnConfiguration(shared);
        settings.set(
                "hadoop.http.temp.dir", workDir.resolve("web-" + shape.name()).toString());
        settings.setInt(YarnConfiguration.YARN_MINICLUSTER_NM_PMEM_MB, shape.memoryMiB());
        settings.setInt(YarnConfiguration.NM_VCORES, shape.vcores());
        if (plugins) {
            settings.set(NODE + "node-name", shape.name());
            settings.set(NODE + "device-provider", shape.devices().isEmpty() ? "none" : "simulated");
            settings.set(
                    NODE + "simulated-devices",
                    shape.devices().stream().map(DeviceShape::toSetting).collect(Collectors.joining(",")));
            settings.set(NODE + "vcore-cores", Double.toString(vcoreCores));
            settings.set(
                    NODE + "control-dir",
                    workDir.resolve("control").resolve(shape.name()).toString());
        } else if (shape.gpus() > 0) {
            settings.setInt("yarn.nodemanager.resource-type.yarn.io/gpu", shape.gpus());
        }
        return settings;
    }

    private static String absoluteClassPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(","));
    }
}

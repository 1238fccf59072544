// SPDX-License-Identifier: Apache-2.0
package io.treadle.telemetry;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.nm.TreadleNodeListener;
import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.conf.PowerConf;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.security.ContainerTokenIdentifier;
import org.apache.hadoop.yarn.server.nodemanager.ContainerStateTransitionListener;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.ContainerManager;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerInitEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.apache.hadoop.yarn.server.nodemanager.metrics.NodeManagerMetrics;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMNullStateStoreService;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/**
 * A process with the plugin in a NodeManager's context and a container on each GPU, or with those alone. The
 * containers launch nothing. Its only argument is a {@link Request}; it prints {@link #BEGINS} on a line and then, on
 * another, the {@link CpuTimes} of the time asked for.
 */
final class NodeProcess {
    /** Said when the time begins. */
    static final String BEGINS = "counting";

    private static final int PORT = 4000;
    /** Of readings and of records. */
    private static final int INTERVAL_MS = 1000;

    /** A NodeManager runs for weeks, with all compiled that runs often: as many readings as in ten times as long. */
    private static final int WARM_UP_INTERVAL_MS = 100;

    private static final int END_TRIES = 300;
    private static final long END_PAUSE_MS = 200;

    /** Of a NodeManager that has stopped, by which its plugin ends. */
    private static final ContainerManager STOPPED = (ContainerManager) Proxy.newProxyInstance(
            NodeProcess.class.getClassLoader(),
            new Class<?>[] {ContainerManager.class, Service.class},
            (proxy, method, arguments) -> method.getName().equals("isInState"));

    private NodeProcess() {}

    /**
     * What to do.
     *
     * @param hasPlugin whether the plugin is there; the containers are in any case
     * @param gpus of the node
     * @param warmUpSeconds how long readings come ten times as often, s
     * @param settlingSeconds how long they come as usual before the time begins, s
     * @param zooKeeper where records go
     * @param directory for the plugin's files
     */
    record Request(
            boolean hasPlugin,
            int gpus,
            int warmUpSeconds,
            int settlingSeconds,
            int seconds,
            String zooKeeper,
            String directory) {}

    /** {@code host:port} under which the records stand. */
    static NodeId node() {
        return NodeId.newInstance("localhost", PORT);
    }

    public static void main(String[] arguments) throws Exception {
        ObjectMapper json = new ObjectMapper();
        Request request = json.readValue(arguments[0], Request.class);
        // Its threads are the NodeManager's own.
        NodeManagerMetrics metrics = NodeManagerMetrics.create();
        NodeManager.NMContext warmedUp = open(request, WARM_UP_INTERVAL_MS, metrics);
        Thread.sleep(1000L * request.warmUpSeconds());
        warmedUp.setContainerManager(STOPPED);
        awaitRelease();
        open(request, INTERVAL_MS, metrics);
        Thread.sleep(1000L * request.settlingSeconds());
        System.out.println(BEGINS);
        CpuTimes before = CpuTimes.now();
        Thread.sleep(1000L * request.seconds());
        System.out.println(json.writeValueAsString(CpuTimes.now().since(before)));
        // The plugin's threads would go on.
        System.exit(0);
    }

    /** Until the plugin's threads have ended: then it has let go of the GPUs. */
    private static void awaitRelease() throws InterruptedException {
        for (int tries = 0; tries < END_TRIES && isPluginThere(); tries++) {
            Thread.sleep(END_PAUSE_MS);
        }
    }

    private static boolean isPluginThere() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().startsWith("treadle-"));
    }

    private static NodeManager.NMContext open(Request request, int intervalMs, NodeManagerMetrics metrics) {
        Configuration conf = conf(request, intervalMs);
        NodeManager.NMContext context =
                new NodeManager.NMContext(null, null, null, null, new NMNullStateStoreService(), false, conf);
        context.setContainerExecutor(new DefaultContainerExecutor());
        context.setNodeId(node());
        if (request.hasPlugin()) {
            TreadleNodeListener listener = new TreadleNodeListener();
            context.setContainerStateTransitionListener(listener);
            listener.init(context);
        } else {
            context.setContainerStateTransitionListener(new Nobody());
        }
        for (int i = 1; i <= request.gpus(); i++) {
            start(i, conf, context, metrics);
        }
        return context;
    }

    private static Configuration conf(Request request, int intervalMs) {
        Configuration conf = new YarnConfiguration();
        conf.set(
                "yarn.resource-types",
                "yarn.io/gpu,treadle.io/gpu-memory,treadle.io/power,treadle.io/storage-bandwidth");
        conf.set("yarn.resource-types.treadle.io/gpu-memory.units", "Mi");
        conf.set(NodeConf.NODE_NAME, "bench");
        conf.set(NodeConf.DEVICE_PROVIDER, "simulated");
        conf.set(NodeConf.SIMULATED_DEVICES, request.gpus() + "xA100-SXM4-40GB:40960:400");
        conf.set(NodeConf.SIMULATED_NOISE, "0.05");
        conf.setInt(NodeConf.TELEMETRY_INTERVAL_MS, intervalMs);
        conf.setInt(NodeConf.PUBLISH_INTERVAL_MS, intervalMs);
        conf.set(NodeConf.ZK_ADDRESS, request.zooKeeper());
        Path directory = Path.of(request.directory());
        conf.set(NodeConf.CONTROL_DIR, directory.resolve("control").toString());
        conf.set(PowerConf.LOCK_DIR, directory.resolve("locks").toString());
        var unused = ResourceUtils.resetResourceTypes(conf);
        return conf;
    }

    private static void start(
            int number, Configuration conf, NodeManager.NMContext context, NodeManagerMetrics metrics) {
        Resource resource = Resource.newInstance(2048, 1);
        resource.setResourceValue("yarn.io/gpu", 1);
        ContainerId id = ContainerId.newContainerId(
                ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1), number);
        ContainerTokenIdentifier token = new ContainerTokenIdentifier(
                id, node().toString(), "user", resource, Long.MAX_VALUE, 1, 1, Priority.newInstance(0), 1);
        ContainerLaunchContext launch = ContainerLaunchContext.newInstance(
                new HashMap<>(), new HashMap<>(), new ArrayList<>(), null, null, null);
        ContainerImpl container =
                new ContainerImpl(conf, new Deaf(), launch, new Credentials(), metrics, token, context);
        context.getContainers().put(id, container);
        container.handle(new ContainerInitEvent(id));
    }

    /** Where there is no plugin. */
    private static final class Nobody implements ContainerStateTransitionListener {
        @Override
        public void init(Context context) {}

        @Override
        public void preTransition(ContainerImpl container, ContainerState before, ContainerEvent event) {}

        @Override
        public void postTransition(
                ContainerImpl container, ContainerState before, ContainerState after, ContainerEvent event) {}
    }

    /** Swallows what containers tell other parts of a NodeManager. */
    private static final class Deaf implements Dispatcher {
        @Override
        @SuppressWarnings("rawtypes") // As Hadoop declares it.
        public EventHandler<Event> getEventHandler() {
            return event -> {};
        }

        @Override
        @SuppressWarnings("rawtypes") // As Hadoop declares it.
        public void register(Class<? extends Enum> eventType, EventHandler handler) {}
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.cluster;

import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.service.AbstractService;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.server.MiniYARNCluster;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;

/** A MiniYARNCluster whose nodes differ: each NodeManager is initialised with settings of its own. */
final class NodeConfiguredCluster extends MiniYARNCluster {
    private static final Pattern NODE_WRAPPER = Pattern.compile(".*NodeManagerWrapper_(\\d+)");

    private final List<Function<Configuration, Configuration>> nodeSettings;

    NodeConfiguredCluster(String name, List<Function<Configuration, Configuration>> nodeSettings) {
        super(name, 1, nodeSettings.size(), 1, 1);
        this.nodeSettings = List.copyOf(nodeSettings);
    }

    int nodes() {
        return nodeSettings.size();
    }

    List<NodeManager> nodeManagers() {
        return IntStream.range(0, nodes()).mapToObj(this::getNodeManager).toList();
    }

    @Override
    protected void addService(Service service) {
        Matcher wrapper = NODE_WRAPPER.matcher(service.getName());
        // The wrapper class is private to MiniYARNCluster; its name carries the node's index.
        super.addService(
                wrapper.matches()
                        ? new Reconfigured(service, nodeSettings.get(Integer.parseInt(wrapper.group(1))))
                        : service);
    }

    /** Hands a service other settings than its parent's. */
    private static final class Reconfigured extends AbstractService {
        private final Service service;
        private final Function<Configuration, Configuration> settings;

        Reconfigured(Service service, Function<Configuration, Configuration> settings) {
            super(service.getName());
            this.service = service;
            this.settings = settings;
        }

        @Override
        protected void serviceInit(Configuration shared) throws Exception {
            service.init(settings.apply(shared));
            super.serviceInit(shared);
        }

        @Override
        protected void serviceStart() throws Exception {
            service.start();
            super.serviceStart();
        }

        @Override
        protected void serviceStop() throws Exception {
            service.stop();
            super.serviceStop();
        }
    }
}

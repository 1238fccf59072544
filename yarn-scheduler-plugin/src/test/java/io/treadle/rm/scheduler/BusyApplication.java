// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;

/** A plain application that always wants more containers than there is room for, as Spark with dynamic allocation does. */
final class BusyApplication {
    private static final int WANTED = 1_000;

    private final SchedulerHarness cluster;
    private final MockAM am;
    private final ResourceVector size;
    private final int beats;
    private final Map<ContainerId, Container> running = new LinkedHashMap<>();
    private final Map<ContainerId, Integer> endsAt = new LinkedHashMap<>();
    private final Set<ContainerId> preempted = new HashSet<>();
    private int beat;
    private int ended;

    /** @param beats how many beats a container runs; 0 for one that never ends by itself */
    private BusyApplication(SchedulerHarness cluster, MockAM am, ResourceVector size, int beats) {
        this.cluster = cluster;
        this.am = am;
        this.size = size;
        this.beats = beats;
    }

    static BusyApplication start(SchedulerHarness cluster, String queue, ResourceVector size, int beats, MockNM amNode)
            throws Exception {
        MockAM am = cluster.startApp(queue, Map.of(), SchedulerHarness.asks(size, WANTED), amNode);
        return new BusyApplication(cluster, am, size, beats);
    }

    /** Takes what it is given, ends what has run long enough, and asks for as much as before. */
    void beat() {
        try {
            beat++;
            AllocateResponse answer = am.allocate(SchedulerHarness.asks(size, WANTED), List.of());
            List<Container> taken = new ArrayList<>();
            for (ContainerStatus status : answer.getCompletedContainersStatuses()) {
                endsAt.remove(status.getContainerId());
                Container container = running.remove(status.getContainerId());
                if (status.getExitStatus() == ContainerExitStatus.PREEMPTED && container != null) {
                    preempted.add(status.getContainerId());
                    taken.add(container);
                }
            }
            cluster.complete(taken);
            List<Container> fresh = answer.getAllocatedContainers();
            for (Container container : fresh) {
                running.put(container.getId(), container);
                // Spread over the beats, so that some end at each.
                endsAt.put(
                        container.getId(), beat + 1 + (int) (container.getId().getContainerId() % Math.max(1, beats)));
            }
            cluster.launch(fresh);
            if (beats > 0) {
                List<Container> over = new ArrayList<>();
                endsAt.forEach((id, end) -> {
                    if (end <= beat) {
                        over.add(running.get(id));
                    }
                });
                over.forEach(container -> {
                    running.remove(container.getId());
                    endsAt.remove(container.getId());
                });
                ended += over.size();
                cluster.complete(over);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    int running() {
        return running.size();
    }

    /** Containers that ended by themselves. */
    int ended() {
        return ended;
    }

    /** Containers that were taken from it. */
    int preempted() {
        return preempted.size();
    }
}

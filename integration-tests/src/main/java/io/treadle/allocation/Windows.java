// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;

/** Times how fast plain applications of a cluster get containers. */
final class Windows {
    private static final Resource SIZE = Resource.newInstance(1024, 1);
    private static final int PRIORITY = 5;
    private static final double PERCENTILE = 0.99;
    private static final long SECOND = 1_000_000_000L;
    private static final long LONGEST_NANOS = 120 * SECOND;
    private static final int PAUSE_NANOS = 100_000;

    private final BenchCluster cluster;
    private int next;

    Windows(BenchCluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Lets applications ask for a tenth more than is counted, so that there is always more to do, times, and gives all
     * back.
     *
     * @throws IllegalStateException if not so many are allocated in two minutes
     */
    Answer measure(int containers) throws Exception {
        List<Master> applications = cluster.applications();
        int each = containers + containers / 10;
        each = (each + applications.size() - 1) / applications.size();
        ResourceRequest ask = Master.ask(SIZE, each, PRIORITY, 0);
        long[] beats = new long[10 * containers];
        int count = 0;
        QueueMetrics metrics = cluster.scheduler().getRootQueueMetrics();
        long until = (long) metrics.getAllocatedContainers() + containers;
        long period = SECOND / cluster.nodes().size();
        long begin = System.nanoTime();
        for (Master master : applications) {
            master.allocate(List.of(ask));
        }
        // Where nothing is allocated but by heartbeats, what comes before them is no part of it.
        begin = cluster.setting().asynchronous() ? begin : System.nanoTime();
        long due = System.nanoTime();
        while (metrics.getAllocatedContainers() < until) {
            long now = System.nanoTime();
            if (now - begin > LONGEST_NANOS) {
                throw new IllegalStateException(
                        (until - metrics.getAllocatedContainers()) + " of " + containers + " containers did not come");
            }
            if (cluster.setting().asynchronous() && now < due) {
                LockSupport.parkNanos(PAUSE_NANOS);
                continue;
            }
            // Nodes beat once a second; without asynchronous scheduling, as fast as they are served.
            due += period;
            cluster.nodes().get(next++ % cluster.nodes().size()).schedule();
            if (count < beats.length) {
                beats[count++] = System.nanoTime() - now;
            }
        }
        long end = System.nanoTime();
        for (Master master : applications) {
            master.giveBack(ask);
        }
        // NodeManagers hear of what has ended.
        cluster.beat();
        Arrays.sort(beats, 0, count);
        return Answer.window(
                containers * (double) SECOND / (end - begin),
                count == 0 ? 0 : beats[(int) (PERCENTILE * (count - 1))] / 1e3);
    }
}

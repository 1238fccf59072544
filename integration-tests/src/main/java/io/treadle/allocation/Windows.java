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
    private final QueueMetrics metrics;
    private ResourceRequest ask = ask(0);
    /** Times of the window's heartbeats, ns; the first {@link #beatCount} of them. */
    private long[] beats = {};

    private int beatCount;
    /** What the root queue has allocated when all that applications have asked for has come. */
    private long allocatedInAll;

    private long timedContainers;
    private long timedNanos;
    private int nextNode;

    Windows(BenchCluster cluster) {
        this.cluster = cluster;
        this.metrics = cluster.scheduler().getRootQueueMetrics();
    }

    private static ResourceRequest ask(int containers) {
        return Master.ask(SIZE, containers, PRIORITY, 0);
    }

    /**
     * A window that is one part.
     *
     * @throws IllegalStateException if not so many are allocated in two minutes
     */
    Answer measure(int containers) throws Exception {
        // Where containers come by themselves, those that come while applications still ask are a part of it.
        long begin = System.nanoTime();
        long before = metrics.getAllocatedContainers();
        open(containers);
        if (!cluster.setting().asynchronous()) {
            begin = System.nanoTime();
        }
        time(begin, before, containers);
        return close();
    }

    /**
     * Lets applications ask for twice as many as are counted, so that there is always more to do: where containers come by themselves,
     * some come between parts.
     */
    void open(int containers) throws Exception {
        List<Master> applications = cluster.applications();
        ask = ask((2 * containers + applications.size() - 1) / applications.size());
        beats = new long[10 * containers];
        beatCount = 0;
        timedContainers = 0;
        timedNanos = 0;
        allocatedInAll = metrics.getAllocatedContainers() + (long) ask.getNumContainers() * applications.size();
        for (Master master : applications) {
            master.allocate(List.of(ask));
        }
    }

    /**
     * Times so many of the window's containers, or what is left of them where others came between parts.
     *
     * @throws IllegalStateException if they are not allocated in two minutes
     */
    void part(int containers) throws Exception {
        time(System.nanoTime(), metrics.getAllocatedContainers(), containers);
    }

    /** The same, and forgets the time: what became due while the process stood still is over then. */
    void untimedPart(int containers) throws Exception {
        part(containers);
        beatCount = 0;
        timedContainers = 0;
        timedNanos = 0;
    }

    private void time(long begin, long before, int containers) throws Exception {
        long until = Math.min(before + containers, allocatedInAll);
        long period = SECOND / cluster.nodes().size();
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
            cluster.nodes().get(nextNode++ % cluster.nodes().size()).schedule();
            if (beatCount < beats.length) {
                beats[beatCount++] = System.nanoTime() - now;
            }
        }
        timedNanos += System.nanoTime() - begin;
        // The last heartbeat may have waited for the lock while more came.
        timedContainers += metrics.getAllocatedContainers() - before;
    }

    /**
     * Gives all back, and says what the window's parts were like.
     *
     * @throws IllegalStateException if all containers came between parts
     */
    Answer close() throws Exception {
        if (timedContainers == 0) {
            throw new IllegalStateException("all containers came while none were timed: the machine is too busy");
        }
        for (Master master : cluster.applications()) {
            master.giveBack(ask);
        }
        // NodeManagers hear of what has ended.
        cluster.beat();
        Arrays.sort(beats, 0, beatCount);
        return Answer.window(
                timedContainers * (double) SECOND / timedNanos,
                beatCount == 0 ? 0 : beats[(int) (PERCENTILE * (beatCount - 1))] / 1e3);
    }
}

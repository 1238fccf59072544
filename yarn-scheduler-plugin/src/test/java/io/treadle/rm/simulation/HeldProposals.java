// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * CapacityScheduler's asynchronous proposals, which are made and committed when the simulation says so, in any order. Its own
 * threads stand still: the one that proposes is suspended, and the one that commits waits at a queue that nobody fills.
 */
final class HeldProposals {
    private final CapacityScheduler scheduler;
    private final Method allocate;
    private final BlockingQueue<ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode>> waiting =
            new LinkedBlockingQueue<>() {
                /** For the thread that commits, where it comes here only now. */
                @Override
                public ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> take() throws InterruptedException {
                    new CountDownLatch(1).await();
                    throw new InterruptedException("nobody counts it down");
                }
            };

    /** To be called before the first node registers: CapacityScheduler proposes from then on. */
    HeldProposals(CapacityScheduler scheduler) throws ReflectiveOperationException {
        this.scheduler = scheduler;
        Object conf = field(CapacityScheduler.class, "asyncSchedulingConf").get(scheduler);
        Object committer = field(conf.getClass(), "resourceCommitterService").get(conf);
        field(committer.getClass(), "backlogs").set(committer, waiting);
        // A thread that is not in the list is never told to begin.
        Field threads = field(conf.getClass(), "asyncSchedulerThreads");
        for (Object thread : (List<?>) threads.get(conf)) {
            ((Thread) thread).interrupt();
        }
        threads.set(conf, new ArrayList<>());
        allocate = CapacityScheduler.class.getDeclaredMethod("allocateContainersToNode", NodeId.class, boolean.class);
        allocate.setAccessible(true);
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    /** CapacityScheduler looks at one node. */
    void propose(NodeId node) throws ReflectiveOperationException {
        allocate.invoke(scheduler, node, false);
    }

    int count() {
        return waiting.size();
    }

    /** Those that wait, the oldest first. */
    List<ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode>> all() {
        return List.copyOf(waiting);
    }

    /**
     * Whether CapacityScheduler proposes for a node what its own commit refuses. It does so at each look at the node, and
     * looks at nobody else there: a reservation, for example, with which all would hold more than the cluster has.
     */
    boolean refuseThemselves(NodeId node) throws ReflectiveOperationException {
        propose(node);
        boolean refused = all().stream()
                .anyMatch(request -> request.anythingAllocatedOrReserved()
                        && !request.getFirstAllocatedOrReservedContainer()
                                .getAllocatedOrReservedContainer()
                                .getSchedulerApplicationAttempt()
                                .accept(scheduler.getClusterResource(), request, true));
        while (count() > 0) {
            commit(0);
        }
        return refused;
    }

    /** Commits one of those that wait, if there is one. */
    void commit(int which) throws ReflectiveOperationException {
        if (waiting.isEmpty()) {
            return;
        }
        ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> chosen =
                all().get(Math.floorMod(which, waiting.size()));
        waiting.remove(chosen);
        var lock = (java.util.concurrent.locks.ReentrantReadWriteLock.WriteLock)
                field(AbstractYarnScheduler.class, "writeLock").get(scheduler);
        lock.lock();
        try {
            scheduler.tryCommit(scheduler.getClusterResource(), chosen, true);
        } finally {
            lock.unlock();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.bridge.YarnResources;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceUsage;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.UserInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/** Reads CapacityScheduler's books. */
final class Yarn {
    private Yarn() {}

    /** Attempts that the scheduler has, also those of applications that are about to end. */
    static List<FiCaSchedulerApp> attempts(SimulatedCluster cluster) {
        List<FiCaSchedulerApp> attempts = new ArrayList<>();
        for (SchedulerApplication<FiCaSchedulerApp> application :
                cluster.scheduler().getSchedulerApplications().values()) {
            FiCaSchedulerApp attempt = application.getCurrentAppAttempt();
            if (attempt != null && !attempt.isStopped()) {
                attempts.add(attempt);
            }
        }
        return attempts;
    }

    /** Containers of all applications but those of ApplicationMasters. */
    static Map<ContainerId, RMContainer> tasks(SimulatedCluster cluster) {
        Map<ContainerId, RMContainer> tasks = new HashMap<>();
        for (FiCaSchedulerApp attempt : attempts(cluster)) {
            attempt.getLiveContainersMap().forEach((id, container) -> {
                // One that shrinks is listed a second time, under another id, and stays so for a while when it has
                // ended.
                if (!container.isAMContainer() && id.equals(container.getContainerId())) {
                    tasks.put(id, container);
                }
            });
        }
        return tasks;
    }

    static List<CSQueue> queues(SimulatedCluster cluster) {
        return List.copyOf(cluster.scheduler()
                .getCapacitySchedulerQueueManager()
                .getQueues()
                .values());
    }

    static List<AbstractLeafQueue> leaves(SimulatedCluster cluster) {
        return queues(cluster).stream()
                .filter(AbstractLeafQueue.class::isInstance)
                .map(AbstractLeafQueue.class::cast)
                .toList();
    }

    /**
     * Whether CapacityScheduler knows what each user holds. It forgets that with the last attempt of a user's in a queue, although
     * containers outlive it, and then tells others that the queue has reached its limit where the user has.
     */
    static boolean countsUsersRight(SimulatedCluster cluster) {
        for (AbstractLeafQueue leaf : leaves(cluster)) {
            for (UserInfo user : leaf.getUsersManager().getUsersInfo()) {
                ResourceVector sum = ResourceVector.ZERO;
                for (FiCaSchedulerApp attempt : attempts(cluster)) {
                    if (attempt.getCSLeafQueue() == leaf && attempt.getUser().equals(user.getUsername())) {
                        ResourceUsage usage = attempt.getAppAttemptResourceUsage();
                        sum = sum.plus(vector(usage.getAllUsed())).plus(vector(usage.getAllReserved()));
                    }
                }
                if (!sum.equals(vector(
                        leaf.getUser(user.getUsername()).getResourceUsage().getAllUsed()))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether a container of the attempt changes its size now: Hadoop counts it twice meanwhile. */
    static boolean isUpdating(FiCaSchedulerApp attempt) {
        for (Map.Entry<ContainerId, RMContainer> entry :
                attempt.getLiveContainersMap().entrySet()) {
            if (entry.getValue().getAllocatedSchedulerKey().getContainerToUpdate() != null
                    || !entry.getKey().equals(entry.getValue().getContainerId())) {
                return true;
            }
        }
        return false;
    }

    static boolean isAnythingUpdating(SimulatedCluster cluster) {
        return attempts(cluster).stream().anyMatch(Yarn::isUpdating);
    }

    static ResourceVector vector(Resource resource) {
        return YarnResources.vector(resource);
    }

    static ResourceVector sum(Iterable<ResourceVector> parts) {
        ResourceVector sum = ResourceVector.ZERO;
        for (ResourceVector part : parts) {
            sum = sum.plus(part);
        }
        return sum;
    }

    /** What the attempt waits for. */
    static ResourceVector pending(FiCaSchedulerApp attempt) {
        ResourceVector sum = ResourceVector.ZERO;
        for (SchedulerRequestKey key : attempt.getSchedulerKeys()) {
            PendingAsk ask = attempt.getPendingAsk(key, ResourceRequest.ANY);
            sum = sum.plus(vector(ask.getPerAllocationResource()).times(ask.getCount()));
        }
        return sum;
    }

    /** Memory and vcores of proposals that Hadoop has made for the attempt and not yet committed. */
    static ResourceVector unconfirmed(FiCaSchedulerApp attempt) throws ReflectiveOperationException {
        return ResourceVector.of(
                0, read(attempt, "unconfirmedAllocatedVcores"), read(attempt, "unconfirmedAllocatedMem"));
    }

    private static long read(FiCaSchedulerApp attempt, String name) throws ReflectiveOperationException {
        Field field = SchedulerApplicationAttempt.class.getDeclaredField(name);
        field.setAccessible(true);
        return ((Number) field.get(attempt)).longValue();
    }

    /** The largest share that it is of any resource. */
    static double dominant(ResourceVector part, ResourceVector all) {
        return Math.max(
                ratio(part.gpus(), all.gpus()),
                Math.max(ratio(part.vcores(), all.vcores()), ratio(part.memoryMiB(), all.memoryMiB())));
    }

    private static double ratio(long part, long all) {
        return all <= 0 ? 0 : (double) part / all;
    }
}

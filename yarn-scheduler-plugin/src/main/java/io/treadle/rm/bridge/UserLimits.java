// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.cluster.UserView;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.UserInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.UsersManager;

/**
 * What CapacityScheduler lets one user hold of a leaf queue. Its limit moves with what the queue's users hold: it is
 * computed anew at every commit (Hadoop's {@code UsersManager.computeUserLimit}). For a plan we need where it ends: the
 * most that the user can reach while the others hold what they hold.
 *
 * <p>With {@code u} the user's share of the partition, {@code others} that of the queue's other users and {@code active}
 * that of those of them who wait for something, all by their dominant resource, {@code w} weights and {@code m} the
 * minimum percentage, Hadoop asks at every container that
 *
 * <pre>u <= w × max((active + u) ÷ (w + sum of the active users' w), m × max(capacity, others + u))</pre>
 *
 * and that {@code u} is no more than {@code w × capacity × user-limit-factor}. Solved for {@code u}.
 */
final class UserLimits {
    /** A share of the partition that is none: no limit. */
    private static final double NONE = 2;

    private final AbstractLeafQueue queue;
    private final String partition;
    private final SchedulingMode mode;
    private final ResourceVector all;

    /** @param all what the partition has */
    UserLimits(AbstractLeafQueue queue, String partition, ResourceVector all) {
        this(queue, partition, SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY, all);
    }

    /** @param mode whether the asks are for nodes of this partition, or have no label and take what is idle there */
    UserLimits(AbstractLeafQueue queue, String partition, SchedulingMode mode, ResourceVector all) {
        this.queue = queue;
        this.partition = partition;
        this.mode = mode;
        this.all = all;
    }

    /**
     * The users of these jobs.
     *
     * @param userOf by job id
     */
    List<UserView> views(List<JobView> jobs, Map<String, String> userOf) {
        Map<String, List<JobView>> byUser = new TreeMap<>();
        for (JobView job : jobs) {
            String user = userOf.get(job.id());
            if (user != null) {
                byUser.computeIfAbsent(user, u -> new ArrayList<>()).add(job);
            }
        }
        List<UserView> views = new ArrayList<>();
        byUser.forEach((name, theirs) -> {
            ResourceVector planned = theirs.stream()
                    .flatMap(j -> j.tasks().stream())
                    .map(RunningTask::size)
                    .reduce(ResourceVector.ZERO, ResourceVector::plus);
            Set<String> ids = new HashSet<>();
            theirs.forEach(j -> ids.add(j.id()));
            ResourceVector others = used(name).minus(planned).max(ResourceVector.ZERO);
            views.add(new UserView(name, limit(name), others, ids));
        });
        return views;
    }

    /** What the user may still take; below zero where the user holds more than the limit. */
    ResourceVector room(String name) {
        return limit(name).minus(used(name));
    }

    /** What the user may hold of the queue. It takes a look at each of the queue's users. */
    ResourceVector limit(String name) {
        UsersManager users = queue.getUsersManager();
        double weight = queue.getUserWeights().getByUser(name);
        double minimum = Math.min(1, weight * users.getUserLimit() / 100);
        double others = 0;
        double activeWeights = 0;
        ResourceVector active = ResourceVector.ZERO;
        for (UserInfo info : users.getUsersInfo()) {
            if (!info.getUsername().equals(name)) {
                ResourceVector held = used(info.getUsername());
                others += ratio(held);
                if (info.getIsActive()) {
                    active = active.plus(held);
                    activeWeights += info.getUserWeight();
                }
            }
        }
        double evenShare = activeWeights > 0 ? weight * ratio(active) / activeWeights : NONE;
        double capacity = ratio(YarnResources.vector(queue.getEffectiveCapacity(partition)));
        double guaranteed = minimum < 1 ? Math.max(minimum * capacity, minimum * others / (1 - minimum)) : NONE;
        return times(Math.min(ceiling(weight, capacity), Math.max(evenShare, guaranteed)));
    }

    private double ceiling(double weight, double capacity) {
        if (mode == SchedulingMode.IGNORE_PARTITION_EXCLUSIVITY) {
            return 1;
        }
        // A queue without a guarantee, or with the factor -1, ends at its maximum.
        double factor = queue.getUserLimitFactor();
        return factor == -1 || capacity == 0
                ? ratio(YarnResources.vector(queue.getEffectiveMaxCapacity(partition)))
                : weight * capacity * factor;
    }

    /** What the user holds of the queue, everything counted. */
    ResourceVector used(String name) {
        // Read once: it is gone with the user's last application, whatever lock is held here.
        UsersManager.User user = queue.getUser(name);
        return user == null ? ResourceVector.ZERO : YarnResources.vector(user.getUsed(partition));
    }

    private double ratio(ResourceVector part) {
        return dominant(part, all);
    }

    private static double dominant(ResourceVector part, ResourceVector all) {
        return Math.max(
                Math.max(
                        Math.max(ratio(part.gpus(), all.gpus()), ratio(part.vcores(), all.vcores())),
                        Math.max(
                                ratio(part.memoryMiB(), all.memoryMiB()),
                                ratio(part.gpuMemoryMiB(), all.gpuMemoryMiB()))),
                Math.max(ratio(part.storageMBps(), all.storageMBps()), ratio(part.watts(), all.watts())));
    }

    private static double ratio(long part, long all) {
        return all <= 0 ? 0 : (double) part / all;
    }

    private ResourceVector times(double ratio) {
        return new ResourceVector(
                floor(all.gpus() * ratio),
                floor(all.vcores() * ratio),
                floor(all.memoryMiB() * ratio),
                floor(all.gpuMemoryMiB() * ratio),
                floor(all.storageMBps() * ratio),
                floor(all.watts() * ratio));
    }

    /** Whole numbers that a division has made a little smaller stay what they are. */
    private static long floor(double amount) {
        return (long) (amount + 1e-6);
    }

    /** Whether a container of the user would pass Hadoop's own check now: the user holds no more than the limit. */
    static boolean mayTake(CSQueue queue, String user, String partition, Resource cluster) {
        return mayTake(queue, user, partition, cluster, ResourceVector.ZERO);
    }

    /** The same for a container whose ask has no label, on a node of a partition that is not exclusive. */
    static boolean mayTakeLent(CSQueue queue, String user, String partition, Resource cluster) {
        return mayTake(
                queue, user, partition, SchedulingMode.IGNORE_PARTITION_EXCLUSIVITY, cluster, ResourceVector.ZERO);
    }

    /** @param without what the user's containers hold that do not count */
    static boolean mayTake(CSQueue queue, String user, String partition, Resource cluster, ResourceVector without) {
        return mayTake(queue, user, partition, SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY, cluster, without);
    }

    private static boolean mayTake(
            CSQueue queue,
            String name,
            String partition,
            SchedulingMode mode,
            Resource cluster,
            ResourceVector without) {
        if (!(queue instanceof AbstractLeafQueue leaf)) {
            return true;
        }
        UsersManager.User user = leaf.getUser(name);
        if (user == null) {
            return true;
        }
        Resource limit = leaf.getResourceLimitForActiveUsers(name, cluster, partition, mode);
        ResourceVector all = YarnResources.vector(cluster);
        return dominant(YarnResources.vector(user.getUsed(partition)).minus(without), all)
                <= dominant(YarnResources.vector(limit), all) + 1e-9;
    }
}

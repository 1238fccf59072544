// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.cluster.UserView;
import io.treadle.core.explain.Reason;
import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.placement.Ledger;
import io.treadle.core.resource.ResourceVector;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Says with numbers why a job does not start, from what is free at the end of the round. */
final class WaitReasons {
    private final Snapshot snapshot;
    private final Ledger ledger;
    private final Sizes sizes;
    /** Of jobs that wait for the same: in a long line there are few kinds. */
    private final Map<Alike, Reason> known = new HashMap<>();

    private @Nullable List<JobView> ending;

    private record Alike(List<TaskGroup> groups, Set<String> avoidedNodes, String user) {}

    WaitReasons(Snapshot snapshot, Ledger ledger, Sizes sizes) {
        this.snapshot = snapshot;
        this.ledger = ledger;
        this.sizes = sizes;
    }

    Reason of(JobView job) {
        if (job.running()) {
            return find(job);
        }
        String user = ledger.userOf(job.id()).map(UserView::name).orElse("");
        return known.computeIfAbsent(new Alike(job.groups(), job.avoidedNodes(), user), alike -> find(job));
    }

    private Reason find(JobView job) {
        int tasks = job.groups().stream().mapToInt(TaskGroup::min).sum();
        ResourceVector needed = job.ask();
        // The group that asks for most GPUs is the one that waits.
        TaskGroup group = job.groups().stream()
                .max(Comparator.comparingLong(g -> g.ask().gpus() * g.min()))
                .orElseThrow();
        Optional<Reason> user = userLimit(job, tasks, needed);
        if (user.isPresent()) {
            return user.get();
        }
        List<Integer> nodes = IntStream.range(0, ledger.nodes().size())
                .filter(n -> ledger.node(n).open()
                        && !job.avoidedNodes().contains(ledger.node(n).id()))
                .boxed()
                .toList();
        long gpus = group.ask().gpus();
        if (gpus > 0) {
            long free = nodes.stream().mapToLong(n -> ledger.freeGpus(n, group)).sum();
            long most = nodes.stream()
                    .mapToLong(n -> ledger.freeGpus(n, group))
                    .max()
                    .orElse(0);
            long byGpus = nodes.stream()
                    .mapToLong(n -> ledger.freeGpus(n, group) / gpus)
                    .sum();
            if (byGpus < group.min() && unknown(nodes, group) > 0) {
                return devicesUnknown(nodes, group);
            }
            if (byGpus < group.min()) {
                return new Reason.TooFewGpus(
                        group.min(),
                        (int) byGpus,
                        gpus * group.min(),
                        free,
                        most,
                        gpus,
                        next(gpus * group.min() - free));
            }
        }
        if (ledger.sharesStorage() && needed.storageMBps() > ledger.queueFree().storageMBps()) {
            long left = ledger.queueFree().storageMBps();
            long gives = snapshot.sharedStorage().orElseThrow().megabytesPerSecond();
            return new Reason.SharedStorageLimit(tasks, needed.storageMBps(), left, gives);
        }
        if (!needed.fitsIn(ledger.queueFree())) {
            return new Reason.QueueLimit(
                    snapshot.queue().name(),
                    tasks,
                    needed.describe(),
                    positive(ledger.queueFree()).describe(),
                    snapshot.queue().limit().describe());
        }
        if (unknown(nodes, group) > 0) {
            return devicesUnknown(nodes, group);
        }
        long fitting = nodes.stream().mapToLong(n -> roomOn(n, job, group)).sum();
        NodeView freest = nodes.stream()
                .max(Comparator.comparingLong((Integer n) -> ledger.free(n).vcores())
                        .thenComparing(Comparator.comparingLong(
                                (Integer n) -> ledger.free(n).memoryMiB())))
                .map(ledger::node)
                .orElse(null);
        String room = freest == null
                ? "no node is open to it"
                : positive(ledger.free(ledger.indexOf(freest.id()).orElseThrow()))
                        .describe();
        return new Reason.TooLittleBeside(
                group.min(), (int) Math.min(fitting, group.min()), group.ask().describe(), room, next(0));
    }

    /** Nodes with free GPUs of which the group could take none because nobody knows which they are. */
    private long unknown(List<Integer> nodes, TaskGroup group) {
        return group.choosesDevices()
                ? nodes.stream()
                        .filter(n -> ledger.node(n).devices().isEmpty())
                        .filter(n -> ledger.free(n).gpus() > 0 || ledger.free(n).gpuMemoryMiB() > 0)
                        .count()
                : 0;
    }

    private Reason devicesUnknown(List<Integer> nodes, TaskGroup group) {
        String models = group.gpuModels().isEmpty()
                ? ""
                : " of " + group.gpuModels().stream().sorted().collect(Collectors.joining(" or "));
        return new Reason.DevicesUnknown(group.min(), group.ask().describe() + models, unknown(nodes, group));
    }

    /** A gang's last task may go above what its user may hold, those before it may not. */
    private Optional<Reason> userLimit(JobView job, int tasks, ResourceVector needed) {
        ResourceVector last = job.groups().get(job.groups().size() - 1).ask();
        return ledger.userOf(job.id()).flatMap(user -> {
            ResourceVector free = ledger.userFree(job.id()).orElseThrow();
            ResourceVector missing =
                    missing(job).minus(last).max(ResourceVector.ZERO).minus(free);
            // Where GPUs are short, the CPU that goes with them is too: that would say nothing new.
            ResourceVector named = missing.gpus() > 0 ? ResourceVector.of(1, 0, 0) : missing;
            return missing.fitsIn(ResourceVector.ZERO)
                    ? Optional.empty()
                    : Optional.of(new Reason.UserLimit(
                            user.name(),
                            snapshot.queue().name(),
                            tasks,
                            user.limit().where(named).describe(),
                            user.limit().minus(free).where(named).describe(),
                            needed.where(named).describe()));
        });
    }

    private static ResourceVector missing(JobView job) {
        return job.groups().stream()
                .map(g -> g.ask().times(job.missing(g)))
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    private long roomOn(int node, JobView job, TaskGroup group) {
        ResourceVector size = sizes.share(job, group, ledger.node(node));
        ResourceVector free = ledger.free(node);
        return Math.min(group.min(), free.count(size));
    }

    /** The running job whose end makes up for the missing GPUs, if jobs end in the order of their remaining times. */
    private Reason.Next next(long missingGpus) {
        long freed = 0;
        for (JobView job : ending()) {
            freed += job.tasks().stream().mapToLong(t -> t.size().gpus()).sum();
            if (freed >= missingGpus) {
                OptionalDouble seconds = job.progress().remainingSeconds(snapshot.nowMs());
                return new Reason.Next(
                        job.id(),
                        seconds.isPresent()
                                ? OptionalLong.of((long) Math.ceil(seconds.getAsDouble()))
                                : OptionalLong.empty());
            }
        }
        return Reason.Next.UNKNOWN;
    }

    private List<JobView> ending() {
        if (ending == null) {
            ending = snapshot.jobs().stream()
                    .filter(JobView::running)
                    .sorted(Comparator.comparingDouble(
                            j -> j.progress().remainingSeconds(snapshot.nowMs()).orElse(Double.MAX_VALUE)))
                    .toList();
        }
        return ending;
    }

    private static ResourceVector positive(ResourceVector vector) {
        return vector.max(ResourceVector.ZERO);
    }
}

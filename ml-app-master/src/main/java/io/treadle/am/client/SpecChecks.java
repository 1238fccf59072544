// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.am.spec.JobSpec;
import io.treadle.am.spec.JobSpec.TaskGroup;
import io.treadle.am.spec.Nearest;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Refuses what a cluster can never run, before anything is uploaded. */
final class SpecChecks {
    private final ClusterView cluster;
    private final BooleanSupplier mayGrow;
    private final Supplier<ResourceVector> limits;

    /**
     * @param mayGrow whether there may be more or larger nodes soon than the cluster shows: then the scheduler says whether it
     *     has room. Asked where a job has none.
     * @param limits the most that the scheduler's settings allow one container, whatever nodes there are. Asked where nodes
     *     may come.
     */
    SpecChecks(ClusterView cluster, BooleanSupplier mayGrow, Supplier<ResourceVector> limits) {
        this.cluster = cluster;
        this.mayGrow = mayGrow;
        this.limits = limits;
    }

    /** @throws ClientException with numbers if the job could never start */
    void check(JobSpec spec) {
        checkAppMaster(spec);
        spec.groups().forEach(this::checkTypes);
        Optional<ClusterView.Queue> queue = checkQueue(spec);
        try {
            checkLargest(spec, cluster.largest());
            checkRoom(spec, queue);
        } catch (ClientException e) {
            if (!mayGrow.getAsBoolean()) {
                throw e;
            }
            // More nodes do not raise what the settings allow.
            checkLargest(spec, limits.get());
        }
    }

    private void checkRoom(JobSpec spec, Optional<ClusterView.Queue> queue) {
        spec.groups().forEach(this::checkNodes);
        checkCluster(spec);
        queue.ifPresent(q -> q.most().ifPresent(most -> checkMost(spec, q, most)));
    }

    private void checkMost(JobSpec spec, ClusterView.Queue queue, ResourceVector most) {
        excess(spec, most).ifPresent(dimension -> {
            throw new ClientException("queue '" + queue.path() + "' can hold at most "
                    + dimension.text(dimension.of(most)) + "; " + needs(spec, dimension)
                    + ".\nMaybe lower 'count', "
                    + roomier(spec, dimension) + "or mark the group elastic with 'min: 1'.");
        });
    }

    private void checkAppMaster(JobSpec spec) {
        ResourceVector asked =
                ResourceVector.of(0, spec.appMaster().vcores(), spec.appMaster().memoryMiB());
        for (Dimension dimension : Dimension.ALL) {
            if (dimension.of(asked) > dimension.of(cluster.largest())) {
                throw new ClientException("appMaster asks for " + dimension.text(dimension.of(asked))
                        + ", YARN grants at most " + dimension.text(dimension.of(cluster.largest()))
                        + " to one container.");
            }
        }
    }

    private void checkTypes(TaskGroup group) {
        for (Dimension dimension : Dimension.ALL) {
            boolean asked = dimension.of(YarnResources.perTask(group)) > 0;
            if (asked && !cluster.resourceTypes().contains(dimension.type())) {
                throw new ClientException("task group '" + group.name() + "' sets '" + dimension.field()
                        + "', but the cluster has no resource '" + dimension.type() + "'; it has "
                        + cluster.resourceTypes().stream().sorted().collect(Collectors.joining(", "))
                        + ".\nMaybe drop '" + dimension.field()
                        + "', or have the resource added to yarn.resource-types.");
            }
        }
    }

    private static void checkLargest(JobSpec spec, ResourceVector largest) {
        for (TaskGroup group : spec.groups()) {
            for (Dimension dimension : Dimension.ALL) {
                long asked = dimension.of(YarnResources.perTask(group));
                long most = dimension.of(largest);
                if (asked > most) {
                    throw new ClientException("task group '" + group.name() + "' asks for " + dimension.text(asked)
                            + " per task, YARN grants at most " + dimension.text(most)
                            + " to one container.\nMaybe lower '" + dimension.field() + "' and raise 'count'.");
                }
            }
        }
    }

    private void checkNodes(TaskGroup group) {
        ResourceVector task = YarnResources.perTask(group);
        if (cluster.nodes().isEmpty() || cluster.nodes().stream().anyMatch(node -> task.fitsIn(node.capacity()))) {
            return;
        }
        for (Dimension dimension : Dimension.ALL) {
            long most = cluster.nodes().stream()
                    .mapToLong(node -> dimension.of(node.capacity()))
                    .max()
                    .orElse(0);
            if (dimension.of(task) > most) {
                throw new ClientException("task group '" + group.name() + "' asks for "
                        + dimension.text(dimension.of(task)) + " per task, the largest node has "
                        + dimension.text(most) + ".\nMaybe lower '" + dimension.field() + "' and raise 'count'.");
            }
        }
        String nodes = cluster.nodes().stream()
                .limit(3)
                .map(node -> node.name() + " has " + node.capacity().describe())
                .collect(Collectors.joining("; "));
        throw new ClientException("task group '" + group.name() + "' asks for " + task.describe()
                + " per task, which no node has together: " + nodes + ".\nMaybe ask for less of one of them.");
    }

    private void checkCluster(JobSpec spec) {
        if (cluster.nodes().isEmpty()) {
            return;
        }
        ResourceVector total = cluster.nodes().stream()
                .map(ClusterView.Node::capacity)
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
        excess(spec, total).ifPresent(dimension -> {
            throw new ClientException("the cluster has " + dimension.text(dimension.of(total)) + "; "
                    + needs(spec, dimension) + ".\nMaybe lower 'count', or mark the group elastic with 'min: 1'.");
        });
        for (TaskGroup group : spec.groups()) {
            ResourceVector task = YarnResources.perTask(group);
            long fit = cluster.nodes().stream()
                    .mapToLong(node -> times(task, node.capacity()))
                    .sum();
            if (fit < group.min()) {
                throw new ClientException("at most " + fit + " tasks of group '" + group.name() + "' ("
                        + task.describe() + " each) fit on the cluster's "
                        + cluster.nodes().size()
                        + " nodes at once; this job's gang needs " + group.min()
                        + ".\nMaybe ask for less per task, or mark the group elastic with 'min: 1'.");
            }
        }
    }

    /** How often {@code task} fits into {@code capacity}. */
    private static long times(ResourceVector task, ResourceVector capacity) {
        return Dimension.ALL.stream()
                .filter(dimension -> dimension.of(task) > 0)
                .mapToLong(dimension -> dimension.of(capacity) / dimension.of(task))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** @return the queue; empty for one that YARN may create */
    private Optional<ClusterView.Queue> checkQueue(JobSpec spec) {
        String name = spec.queue().isEmpty() ? "default" : spec.queue();
        Optional<ClusterView.Queue> found =
                cluster.queues().stream().filter(queue -> queue.isCalled(name)).findFirst();
        if (found.isEmpty()) {
            checkUnknownQueue(spec.queue());
            return found;
        }
        ClusterView.Queue queue = found.get();
        if (!queue.leaf()) {
            throw new ClientException("queue '" + queue.path() + "' is a parent queue, must be a leaf.\nMaybe "
                    + anyOf(leaves().filter(path -> path.startsWith(queue.path() + "."))
                            .toList()) + ".");
        }
        if (!queue.running()) {
            throw new ClientException("queue '" + queue.path() + "' is stopped and takes no jobs.\nMaybe "
                    + anyOf(leaves().filter(path -> !path.equals(queue.path())).toList()) + ".");
        }
        return found;
    }

    /** A queue below an existing parent may be one that YARN creates when it is first used: YARN decides. */
    private void checkUnknownQueue(String name) {
        String parent = name.substring(0, Math.max(0, name.lastIndexOf('.')));
        boolean mayBeCreated = parent.equals("root")
                || cluster.queues().stream().anyMatch(queue -> queue.path().equals(parent) && !queue.leaf());
        if (!name.isEmpty() && !mayBeCreated && !cluster.queues().isEmpty()) {
            throw noQueue(name);
        }
    }

    /** What to say of a queue that is not there. */
    ClientException noQueue(String name) {
        List<String> leaves = leaves().toList();
        return new ClientException("there is no queue '" + name + "'.\nMaybe "
                + Nearest.of(name, leaves).map(near -> "'" + near + "'").orElseGet(() -> anyOf(leaves)) + ".");
    }

    private Stream<String> leaves() {
        return cluster.queues().stream()
                .filter(queue -> queue.leaf() && queue.running())
                .map(ClusterView.Queue::path);
    }

    private static String anyOf(List<String> queues) {
        return queues.isEmpty()
                ? "ask the cluster's administrator"
                : "one of "
                        + queues.stream().limit(8).map(path -> "'" + path + "'").collect(Collectors.joining(", "));
    }

    private String roomier(JobSpec spec, Dimension scarce) {
        return cluster.queues().stream()
                .filter(queue -> queue.leaf() && queue.running())
                .filter(queue -> queue.most().isPresent()
                        && excess(spec, queue.most().get()).isEmpty())
                .findFirst()
                .map(queue -> "submit to '" + queue.path() + "' (at most "
                        + scarce.of(queue.most().get()) + "), ")
                .orElse("");
    }

    /** The first dimension in which the job's smallest gang is more than {@code most}. */
    private static Optional<Dimension> excess(JobSpec spec, ResourceVector most) {
        return Dimension.ALL.stream()
                .filter(dimension -> gang(spec, dimension) > dimension.of(most))
                .findFirst();
    }

    private static long gang(JobSpec spec, Dimension dimension) {
        return spec.groups().stream()
                .mapToLong(group -> group.min() * dimension.of(YarnResources.perTask(group)))
                .sum();
    }

    /** {@code this job's gang needs 16 (4 workers × 4 GPUs)}. */
    private static String needs(JobSpec spec, Dimension dimension) {
        String parts = spec.groups().stream()
                .filter(group -> dimension.of(YarnResources.perTask(group)) > 0)
                .map(group -> group.min() + " " + group.name() + (group.min() == 1 ? "" : "s") + " × "
                        + dimension.text(dimension.of(YarnResources.perTask(group))))
                .collect(Collectors.joining(" + "));
        return "this job's gang needs " + gang(spec, dimension) + " (" + parts + ")";
    }
}

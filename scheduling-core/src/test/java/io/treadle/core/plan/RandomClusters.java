// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.plan;

import io.treadle.core.cluster.Crossing;
import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Overheads;
import io.treadle.core.cluster.QueueView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.cluster.UserView;
import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Clusters, jobs and what becomes of them from round to round, all from one seed. */
public final class RandomClusters {
    private static final List<String> MODELS = List.of("A100", "V100", "T4");

    private final Random random;
    private final Function<Random, SensitivityMatrix> profiles;
    private final List<NodeView> nodes = new ArrayList<>();
    private final QueueView queue;
    private final List<ResourceVector> userLimits = new ArrayList<>();
    private final boolean memoryShared;
    private List<JobView> jobs = new ArrayList<>();
    private int jobsMade;
    private int tasksMade;
    private long nowMs;

    public RandomClusters(long seed) {
        this(seed, RandomClusters::matrix);
    }

    /** @param profiles draws what a job is said to do */
    RandomClusters(long seed, Function<Random, SensitivityMatrix> profiles) {
        this.random = new Random(seed);
        this.profiles = profiles;
        memoryShared = random.nextBoolean();
        boolean devicesKnown = random.nextInt(4) > 0;
        int count = 1 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            nodes.add(node(i, devicesKnown));
        }
        ResourceVector all = nodes.stream().map(NodeView::capacity).reduce(ResourceVector.ZERO, ResourceVector::plus);
        queue = new QueueView(
                "root.q", random.nextBoolean() ? all : all.share(1 + random.nextInt(4), 4), ResourceVector.ZERO);
        // Two users of three have a limit, in one cluster of two.
        if (random.nextBoolean()) {
            userLimits.add(all.share(random.nextInt(4), 4));
            userLimits.add(all.share(random.nextInt(4), 3));
        }
        arrive();
    }

    public Snapshot snapshot() {
        List<UserView> users = new ArrayList<>();
        for (int u = 0; u < userLimits.size(); u++) {
            int user = u;
            Set<String> theirs = jobs.stream()
                    .map(JobView::id)
                    .filter(id -> Math.floorMod(id.hashCode(), 3) == user)
                    .collect(Collectors.toSet());
            users.add(new UserView("user" + u, userLimits.get(u), ResourceVector.of(0, 1, 512), theirs));
        }
        QueueView now = new QueueView(queue.name(), queue.limit(), queue.othersUse(), users, random.nextInt(3) == 0);
        Crossing crossing = new Crossing(random.nextInt(3) * .2, random.nextInt(3) * .1);
        return new Snapshot(nowMs, nodes, now, jobs, memoryShared).with(new Overheads(crossing, 30, 60));
    }

    private NodeView node(int index, boolean devicesKnown) {
        int gpus = random.nextInt(9);
        String model = MODELS.get(random.nextInt(MODELS.size()));
        List<DeviceView> devices = new ArrayList<>();
        long othersGpus = 0;
        for (int d = 0; devicesKnown && d < gpus; d++) {
            boolean taken = random.nextInt(6) == 0;
            boolean sliced = !taken && random.nextInt(6) == 0;
            devices.add(new DeviceView(
                    index + "-" + d, model, 16384, taken ? 16384 : sliced ? 4096 : 0, random.nextInt(10) > 0));
            othersGpus += taken ? 1 : 0;
        }
        ResourceVector capacity =
                new ResourceVector(gpus, 4 + random.nextInt(60), 8192 + random.nextInt(200_000), gpus * 16384L, 0, 0);
        ResourceVector others = new ResourceVector(othersGpus, random.nextInt(4), random.nextInt(4096), 0, 0, 0);
        return new NodeView(
                "n" + index,
                "r" + index % 2,
                capacity,
                others,
                ResourceVector.of(0, random.nextInt(3), 0),
                devices,
                random.nextInt(10) > 0);
    }

    private JobView job() {
        int id = jobsMade++;
        List<TaskGroup> groups = new ArrayList<>();
        int kinds = 1 + random.nextInt(2);
        for (int k = 0; k < kinds; k++) {
            int count = 1 << random.nextInt(4);
            boolean slice = random.nextInt(6) == 0;
            ResourceVector ask = new ResourceVector(
                    slice ? 0 : random.nextInt(3),
                    random.nextInt(3),
                    256L * random.nextInt(8),
                    slice ? 1024L * (1 + random.nextInt(16)) : 0,
                    0,
                    0);
            Set<String> models = random.nextInt(4) == 0 ? Set.of(MODELS.get(random.nextInt(MODELS.size()))) : Set.of();
            int min = random.nextInt(3) == 0 ? 1 + random.nextInt(count) : count;
            groups.add(new TaskGroup("g" + k, min, count, ask, models));
        }
        double total = random.nextInt(3) == 0 ? 0 : 100 + random.nextInt(100_000);
        return new JobView(
                "job" + id,
                nowMs,
                groups,
                List.of(),
                random.nextInt(3) == 0 ? Optional.empty() : Optional.of(profiles.apply(random)),
                false,
                new Progress(0, total, random.nextInt(3) * 0.1, 0),
                random.nextInt(8) == 0 ? Set.of("n0") : Set.of());
    }

    private static SensitivityMatrix matrix(Random random) {
        long[] vcores = new long[2 + random.nextInt(6)];
        long[] memory = new long[1 + random.nextInt(3)];
        double[][] throughput = new double[vcores.length][memory.length];
        for (int c = 0; c < vcores.length; c++) {
            vcores[c] = (c == 0 ? 0 : vcores[c - 1]) + 1 + random.nextInt(3);
        }
        for (int m = 0; m < memory.length; m++) {
            memory[m] = (m == 0 ? 0 : memory[m - 1]) + 1024 + random.nextInt(8192);
        }
        for (int c = 0; c < vcores.length; c++) {
            for (int m = 0; m < memory.length; m++) {
                double before = Math.max(c == 0 ? 0 : throughput[c - 1][m], m == 0 ? 0 : throughput[c][m - 1]);
                throughput[c][m] = before + (random.nextBoolean() ? random.nextDouble() : 0);
            }
        }
        throughput[vcores.length - 1][memory.length - 1] += 0.1;
        return new SensitivityMatrix(vcores, memory, throughput);
    }

    private void arrive() {
        for (int i = random.nextInt(6); i >= 0; i--) {
            jobs.add(job());
        }
    }

    /** Carries the plan out; then some jobs end, some lose a task, some are profiled, others arrive. */
    public void next(Plan plan) {
        nowMs += 1000;
        List<JobView> after = new ArrayList<>();
        for (JobView job : jobs) {
            List<RunningTask> tasks = tasksAfter(job, plan.of(job.id()).orElseThrow());
            if (tasks.isEmpty() || random.nextInt(5) > 0) {
                if (!tasks.isEmpty() && random.nextInt(10) == 0) {
                    tasks.remove(random.nextInt(tasks.size()));
                }
                Progress p = job.progress();
                boolean runs = !tasks.isEmpty();
                after.add(new JobView(
                        job.id(),
                        job.submitMs(),
                        job.groups(),
                        tasks,
                        job.profile(),
                        runs && job.profile().isEmpty() && random.nextBoolean(),
                        new Progress(
                                p.samplesDone() + (runs ? 50 : 0),
                                p.samplesTotal(),
                                p.secondsPerSample(),
                                p.attainedGpuSeconds() + (runs ? job.gpus() : 0)),
                        job.avoidedNodes()));
            }
        }
        jobs = after;
        arrive();
    }

    private List<RunningTask> tasksAfter(JobView job, Decision decision) {
        Map<String, ResourceVector> sizes = decision.sizes();
        List<RunningTask> tasks = new ArrayList<>();
        for (RunningTask task : job.tasks()) {
            ResourceVector size = sizes.getOrDefault(task.id(), task.size());
            // As profiling may leave it, below what it asked for.
            ResourceVector left =
                    job.profiling() && size.vcores() > 1 && random.nextBoolean() ? size.withVcores(1) : size;
            tasks.add(new RunningTask(task.id(), task.group(), task.nodeId(), left, task.devices()));
        }
        if (decision instanceof Decision.Run run) {
            for (TaskPlacement task : run.tasks()) {
                tasks.add(new RunningTask(
                        "task" + tasksMade++, task.group(), task.nodeId(), task.size(), task.devices()));
            }
        }
        return tasks;
    }
}

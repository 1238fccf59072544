// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.budget.EnergyBudget;
import io.treadle.core.placement.Placement;
import io.treadle.core.placement.TypicalTasks;
import io.treadle.core.policy.Discipline;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.policy.Session;
import io.treadle.core.policy.order.Order;
import io.treadle.core.policy.order.ServiceTimes;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SharedQueue;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.queues.QueuePower;
import io.treadle.simulator.queues.SharedQueues;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** One trace on one cluster under one policy. */
public final class Simulation {
    private final SimCluster cluster;
    private final List<TraceJob> jobs;
    private final List<TraceJob> usual;
    private final SimulationOptions options;
    private final QueueBudgets budgets;

    /** @param jobs in order of submission, that {@link OfferedLoad} has found fit for the cluster */
    public Simulation(SimCluster cluster, List<TraceJob> jobs, SimulationOptions options) {
        this(new Workload(cluster, jobs), options);
    }

    /**
     * @throws InputException if there is a budget, and nobody knows what the cluster draws, or one of a queue that is not
     *     there
     */
    public Simulation(Workload workload, SimulationOptions options) {
        this.cluster = workload.cluster();
        this.jobs = workload.jobs();
        this.usual = workload.usual();
        this.options = options;
        if (!options.energy().budget().equals(EnergyBudget.NONE)) {
            checkBudget();
        }
        this.budgets = QueueBudgets.of(cluster, options);
    }

    private void checkPowerOff(String option) {
        if (cluster.power().isEmpty()) {
            throw new InputException(option + "nobody knows what " + cluster.name()
                    + " draws.\nMaybe --power a100, or 'power' in the cluster file.");
        }
        if (!cluster.outages().isEmpty()) {
            throw new InputException(option + "cluster " + cluster.name()
                    + " has failures or maintenance, which are not simulated beside it.");
        }
        long kinds = cluster.partitions().stream()
                .flatMap(partition -> partition.nodes().stream())
                .map(node -> node.capacity().gpus())
                .distinct()
                .count();
        if (kinds > 1) {
            throw new InputException(
                    option + "nodes of " + cluster.name() + " have different numbers of GPUs: all must have as many.");
        }
    }

    private void checkBudget() {
        String budget = "--budget is '" + options.energy().budget().text() + "', but ";
        if (cluster.power().isEmpty()) {
            throw new InputException(budget + "nobody knows what " + cluster.name()
                    + " draws.\nMaybe --power a100, or 'power' in the cluster file.");
        }
    }

    /**
     * @param policyName {@code <order>+<allocation>} or an order
     * @param progress is told how many jobs have ended
     * @throws InputException if there is no such policy
     */
    public Outcome run(String policyName, LongConsumer progress) {
        return run(policyName, progress, Journal.NONE);
    }

    /**
     * @param policyName {@code <order>+<allocation>} or an order
     * @param progress is told how many jobs have ended
     * @param journal is told all that happens
     * @throws InputException if there is no such policy or a job belongs to no partition
     */
    public Outcome run(String policyName, LongConsumer progress, Journal journal) {
        Compat compat = options.compat();
        Policy policy = policy(policyName);
        Map<String, String> queueOf = new HashMap<>();
        jobs.forEach(job -> queueOf.put(job.id(), job.queue()));
        Map<String, JobRun> runOf = new HashMap<>();
        Map<String, World> worlds = new HashMap<>();
        List<World> inOrder = new ArrayList<>();
        for (Partition partition : cluster.partitions()) {
            World world = new World(
                    tellsGpusApart(partition) ? partition.withNumberedGpus() : partition,
                    cluster,
                    options.costs(),
                    nodes -> partition
                            .root()
                            .<Session>map(root -> new SharedQueues(
                                    nodes,
                                    root,
                                    queue -> policy(policyName, queue),
                                    id -> Objects.requireNonNull(queueOf.get(id)),
                                    options.preempts(),
                                    new QueuePower(budgets.of(partition), id -> Objects.requireNonNull(runOf.get(id))
                                            .draw()
                                            .trainingWatts())))
                            .orElseGet(() -> policy.open(nodes)));
            worlds.put(partition.name(), world);
            inOrder.add(world);
        }
        CardSpeeds speeds = new CardSpeeds(cluster);
        List<JobRun> runs = new ArrayList<>(jobs.size());
        List<EventLoop.Arrival> arrivals = new ArrayList<>(jobs.size());
        Set<String> queuesThatChoose = queuesThatChooseGpus(policyName);
        for (TraceJob job : jobs) {
            TraceJob taken = compat.taken(job, options.placement(), cluster);
            JobRun run = new JobRun(
                    runs.size(),
                    policy.choosesGpus() || queuesThatChoose.contains(job.queue()) ? taken.scalable() : taken,
                    taken.gpus(),
                    options.costs(),
                    speeds);
            cluster.power().ifPresent(power -> run.draw().on(power.view()));
            runs.add(run);
            runOf.put(job.id(), run);
            arrivals.add(new EventLoop.Arrival(
                    run,
                    Objects.requireNonNull(worlds.get(
                            cluster.partitionOf(job.queue()).orElseThrow().name()))));
        }
        Predicate<JobRun> isMeasured =
                run -> options.measured().contains(run.job().id());
        long measured = runs.stream()
                .filter(isMeasured)
                .filter(run -> run.job().work().ends())
                .count();
        Optional<NodeSleep> sleep = options.energy()
                .powerOff()
                .filter(rules -> cluster.power().isPresent())
                .map(rules -> new NodeSleep(
                        rules,
                        inOrder.stream()
                                .flatMap(world -> world.nodes().stream())
                                .toList(),
                        Math.max(1, cluster.capacity().gpus() / Math.max(1, cluster.nodes()))));
        // Jobs that never end are never enough: the run is over when the last has come.
        Recorder recorder = new Recorder(
                cluster,
                measured == 0 ? Long.MAX_VALUE : measured,
                isMeasured,
                progress::accept,
                journal,
                sleep,
                budgets.isEmpty() ? Optional.empty() : Optional.of(new QueueMeter(cluster, budgets)));
        long start = System.nanoTime();
        if (compat.leases()) {
            if (inOrder.size() > 1) {
                throw new InputException(
                        "--compat " + compat.text() + " knows one partition, the cluster has " + inOrder.size() + ".");
            }
            new LeaseLoop(
                            inOrder.get(0),
                            arrivals,
                            options.firstRoundMs(jobs),
                            options.roundMs(),
                            new Starvation(compat.starvedAfterMs(policyName)),
                            recorder)
                    .run();
        } else {
            new EventLoop(
                            inOrder,
                            arrivals,
                            new NodeEvents(cluster.outages(), inOrder, recorder),
                            options,
                            policyName,
                            recorder,
                            budgeted(recorder),
                            sleep)
                    .run();
        }
        double wallSeconds = (System.nanoTime() - start) / 1e9;
        return new Outcome(
                policyName,
                cluster,
                runs,
                runs.stream().filter(isMeasured).toList(),
                recorder.gpuUtilization(),
                recorder.fragmentation(),
                recorder.lastMs(),
                recorder.spanSeconds(),
                recorder.events(),
                wallSeconds,
                recorder.meter()
                        .map(meter ->
                                new Outcome.Drawn(meter.joules(), meter.mostWatts(), meter.series(), meter.queues())));
    }

    /** What is taken back from a queue is whole jobs, which a policy that stops them itself would start again. */
    private void checkStops(SharedQueue queue, Policy policy) {
        if (policy.stopsJobs() && options.preempts()) {
            throw new InputException("queue " + queue.path() + ": policy '" + policy.name()
                    + "' stops jobs itself, and with --preemption on other queues would too: it must be one of an order"
                    + " and an allocation, or --preemption off.");
        }
    }

    /** Queues of the trace whose jobs come to a queue with a policy of its own that chooses how many GPUs they get. */
    private Set<String> queuesThatChooseGpus(String policyName) {
        return cluster.partitions().stream()
                .flatMap(partition -> partition.root().stream())
                .flatMap(SharedQueue::leaves)
                .filter(queue -> queue.policy().isPresent())
                .filter(queue -> policy(policyName, queue).choosesGpus())
                .flatMap(queue -> queue.takes().stream())
                .collect(Collectors.toSet());
    }

    private Optional<Budgeted> budgeted(Recorder recorder) {
        return cluster.power()
                .map(power -> new Budgeted(
                        BudgetNotes.keeper(cluster, power, options),
                        power.view(),
                        recorder.meter().orElseThrow(),
                        new Deadlock(cluster, options)));
    }

    /** @throws InputException if there is no such policy or placement, or a job could never run in its queue */
    public void check(String policyName) {
        policy(policyName);
        if (options.compat() != Compat.NONE && !cluster.outages().isEmpty()) {
            throw new InputException("--compat " + options.compat().text()
                    + " knows no failures of nodes and no maintenance, cluster " + cluster.name() + " has some.");
        }
        options.energy().powerOff().ifPresent(rules -> checkPowerOff("--power-off is '" + rules.text() + "', but "));
        for (Partition partition : cluster.partitions()) {
            partition.root().ifPresent(root -> {
                if (options.compat() != Compat.NONE) {
                    throw new InputException("--compat " + options.compat().text()
                            + " knows no queues with capacities, partition '" + partition.name() + "' has some.");
                }
                root.leaves().forEach(queue -> checkStops(queue, policy(policyName, queue)));
            });
        }
        QueueLoads.of(cluster, jobs);
    }

    /** The policy of a queue with a capacity: what runs goes on there, but for what other queues take back. */
    private Policy policy(String name, SharedQueue queue) {
        try {
            return policy(
                    queue.policy().orElse(name),
                    queue.placement().orElse(options.placement()),
                    Discipline.DEFAULT.withMigration(options.migrates()));
        } catch (InputException e) {
            throw queue.policy().isPresent() || queue.placement().isPresent()
                    ? new InputException("queue " + queue.path() + ": " + e.getMessage(), e)
                    : e;
        }
    }

    private boolean tellsGpusApart(Partition partition) {
        return partition.root().stream()
                        .flatMap(SharedQueue::leaves)
                        .flatMap(queue -> queue.placement().stream())
                        .anyMatch(this::tellsGpusApart)
                || tellsGpusApart(options.placement());
    }

    private boolean tellsGpusApart(String placement) {
        return options.compat()
                .placement(placement, options.plugins().registry())
                .tellsGpusApart();
    }

    private Discipline discipline(String policy) {
        Compat compat = options.compat();
        Discipline discipline = compat.discipline(policy, options.preempts());
        if (!options.migrates()) {
            return discipline;
        }
        if (!compat.migrates()) {
            throw new InputException("--migration is 'on', but --compat " + compat.text() + " moves no jobs.");
        }
        return discipline.withMigration(true);
    }

    private ServiceTimes serviceTimes() {
        return ServiceTimes.of(usual.stream()
                .filter(job -> job.work().ends())
                .mapToDouble(job -> job.work().seconds() * job.gpus()));
    }

    /** What a run under this policy may do. */
    public RunRules rules(String policyName) {
        Compat compat = options.compat();
        return new RunRules(
                placement(options.placement()),
                mayIdle(policyName),
                compat.leases(),
                compat.timing(policyName).lateEndMs());
    }

    private Optional<String> mayIdle(String policyName) {
        if (policy(policyName).stopsJobs()) {
            return Optional.of("the policy chooses GPUs and caps itself");
        }
        if (options.decideEveryMs() > 0) {
            return Optional.of("nobody decides between two multiples of --decide-every");
        }
        String order = policyName.split("\\+", 2)[0];
        if (options.plugins().registry().orders().stream()
                .noneMatch(known -> known.name().equals(order))) {
            return Optional.of("the policy is one's own");
        }
        Discipline discipline = options.compat().discipline(policyName, options.preempts());
        if (discipline.strict()) {
            return Optional.of("the first that does not fit holds up the rest");
        }
        if (discipline.preemption().choosesByGpus()) {
            return Optional.of("jobs are chosen by GPUs, wherever they fit");
        }
        if (cluster.partitions().stream().anyMatch(partition -> partition.root().isPresent())) {
            return Optional.of("queues stop at their maxima");
        }
        if (!cluster.outages().isEmpty()) {
            return Optional.of("nodes are closed at times");
        }
        return cluster.sharing() == SimCluster.Sharing.NOTHING
                ? Optional.empty()
                : Optional.of("sizes depend on what other jobs give back");
    }

    private Placement placement(String name) {
        return options.compat()
                .placement(name, options.plugins().registry())
                .expecting(() -> TypicalTasks.of(usual.stream().flatMap(job -> job.groups().stream())));
    }

    private Policy policy(String name) {
        return policy(name, options.placement(), discipline(name));
    }

    private Policy policy(String name, String placementName, Discipline discipline) {
        Compat compat = options.compat();
        PolicyRegistry registry = options.plugins().registry();
        try {
            List<Order> orders = compat.orders(name, registry).stream()
                    .map(order -> order.expecting(this::serviceTimes))
                    .toList();
            return registry.policy(name, placement(placementName), discipline, orders, compat.allocations(registry));
        } catch (IllegalArgumentException e) {
            throw new InputException(e.getMessage() + ".", e);
        }
    }
}

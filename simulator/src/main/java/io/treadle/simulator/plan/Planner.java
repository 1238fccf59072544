// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.engine.Simulation;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.trace.TraceJob;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Finds what meets goals; all simulations that it needs are kept in the output directory, for the next call too. */
public final class Planner {
    private static final String KEPT = ".finished";
    private static final int MOST_TIMES = 8;

    private final PlanRequest request;
    private final SimCluster cluster;
    private final List<Goal> goals;
    private final Prices prices;
    private final Path out;
    private final Prober prober;
    private final Consumer<String> progress;

    /**
     * @param threads simulations at a time
     * @param progress is told each size as it is known, a line each
     * @throws InputException if a goal, a price or a policy is none, or does not fit the jobs or the cluster
     */
    public Planner(PlanRequest request, Path out, int threads, Consumer<String> progress) {
        this.request = request;
        this.cluster = request.replay().workload().cluster();
        this.out = out;
        this.progress = progress;
        goals = GoalReader.readAll(request.goals());
        prices = Prices.read(request.prices());
        check();
        KeptPoints kept =
                new KeptPoints(out.resolve(KEPT), request.replay().request().fingerprint(request.options()));
        prober = new Prober(request.options(), prices, kept, threads, this::tell);
    }

    private void check() {
        if (goals.isEmpty()) {
            throw new InputException("no --goal is given.\nMaybe one like 'p95 wait < 2h'.");
        }
        prices.check(cluster);
        Simulation simulation = new Simulation(request.replay().workload(), request.options());
        request.policies().forEach(simulation::check);
        List<TraceJob> jobs = request.replay().workload().jobs();
        Set<String> queues = jobs.stream().map(TraceJob::queue).collect(Collectors.toCollection(TreeSet::new));
        for (Goal goal : goals) {
            if (goal.queue().isPresent() && !queues.contains(goal.queue().get())) {
                throw new InputException("--goal '" + goal.text() + "': no job is of queue '"
                        + goal.queue().get() + "', the trace has " + some(queues) + ".");
            }
        }
        Set<String> counted = jobs.stream()
                .filter(job -> job.work().ends() && request.options().measured().contains(job.id()))
                .map(TraceJob::queue)
                .collect(Collectors.toSet());
        if (counted.isEmpty()) {
            throw new InputException("no job of the trace ends: there is nothing to hold goals against.");
        }
        for (Goal goal : goals) {
            if (goal.queue().isPresent() && !counted.contains(goal.queue().get())) {
                throw new InputException("--goal '" + goal.text()
                        + "': none of the queue's jobs is measured (--jobs) and" + " ends, must be at least one.");
            }
        }
    }

    private static String some(Set<String> names) {
        return names.stream().limit(20).map(name -> "'" + name + "'").collect(Collectors.joining(", "))
                + (names.size() > 20 ? " and " + (names.size() - 20) + " more" : "");
    }

    /**
     * The smallest number of nodes of the cluster's kind.
     *
     * @return the tables; the files are written then
     */
    public PlanReport nodes() {
        Sizing sizing = Sizing.ofCluster(request.replay());
        int least = cluster.partitions().size();
        int most = request.mostNodes().orElse(Math.max(least, MOST_TIMES * cluster.nodes()));
        if (most < least) {
            throw new InputException("--most-nodes is '" + most + "', must be at least " + least
                    + ": one for each partition of " + cluster.name() + ".");
        }
        Search search = search(sizing, "", goals, least, most, cluster.nodes());
        String answer =
                search.curve().chosen().map(this::enough).orElseGet(() -> none(search.curve(), most)) + search.remark();
        return report("nodes", search.curve().chosen().isPresent(), answer, List.of(search.curve()));
    }

    /** Which of the policies meet the goals on the cluster as it is, those that do first, then by the first goal. */
    public PlanReport policy() {
        Sizing sizing = Sizing.ofCluster(request.replay());
        List<Candidate> candidates = request.policies().stream()
                .distinct()
                .map(policy -> new Candidate(cluster.nodes(), policy))
                .toList();
        Goal first = goals.get(0);
        Comparator<Point> byFigure =
                Comparator.comparingDouble(point -> (first.measure() == Measure.UTILIZATION ? -1 : 1)
                        * point.figure(first).orElse(Double.POSITIVE_INFINITY));
        List<Point> points = prober.probe(sizing, candidates).stream()
                .sorted(Comparator.comparing((Point point) -> !point.meets(goals))
                        .thenComparing(byFigure))
                .toList();
        List<Point> good = points.stream().filter(point -> point.meets(goals)).toList();
        String answer = good.isEmpty()
                ? "None of the policies meets the goals on " + nodes(cluster.nodes()) + "; nearest is "
                        + points.get(0).policy() + ": " + figures(points.get(0), goals) + "."
                : good.stream().map(Point::policy).collect(Collectors.joining(", "))
                        + (good.size() == 1 ? " meets" : " meet") + " the goals on " + nodes(cluster.nodes())
                        + (good.size() == 1 ? ": " : "; best is " + good.get(0).policy() + ": ")
                        + figures(good.get(0), goals) + ".";
        return report(
                "policy",
                !good.isEmpty(),
                answer,
                List.of(PlanResult.Curve.ofNodes(
                        "", goals, points, good.stream().findFirst())));
    }

    /** How the nodes, or the capacities of queues that share them, can be split so that the goals of each queue hold. */
    public PlanReport quota() {
        if (cluster.partitions().size() == 1
                && cluster.partitions().get(0).root().isPresent()) {
            return new CapacityPlan(request, goals).find(this);
        }
        return new QuotaPlan(cluster, goals, request.mostNodes()).find(this);
    }

    /** The search for one partition's nodes. */
    record Search(PlanResult.Curve curve, String remark) {}

    Search search(Sizing sizing, String partition, List<Goal> wanted, int least, int most, int first) {
        String policy = request.policies().get(0);
        TreeMap<Integer, Point> points = new TreeMap<>();
        SizeSearch search = new SizeSearch(least, most, sizes -> {
            Map<Integer, Boolean> holds = new HashMap<>();
            prober.probe(
                            sizing,
                            sizes.stream()
                                    .map(size -> new Candidate(size, policy))
                                    .toList())
                    .forEach(point -> {
                        points.put(point.nodes(), point);
                        holds.put(point.nodes(), point.meets(wanted));
                    });
            return holds;
        });
        OptionalInt smallest = search.smallest(Math.min(most, first));
        Optional<Point> chosen =
                smallest.isPresent() ? Optional.ofNullable(points.get(smallest.getAsInt())) : Optional.empty();
        return new Search(
                PlanResult.Curve.ofNodes(partition, wanted, List.copyOf(points.values()), chosen),
                smallest.isPresent() ? remark(search.failingAbove(smallest.getAsInt())) : "");
    }

    private static String remark(List<Integer> failing) {
        return failing.isEmpty()
                ? ""
                : " But more nodes do not always help here: with "
                        + failing.stream().map(String::valueOf).collect(Collectors.joining(", "))
                        + " the goals do not hold.";
    }

    private String enough(Point point) {
        return nodes(point.nodes()) + " (" + String.format(Locale.ROOT, "%,d", point.gpus()) + " GPUs) "
                + (point.nodes() == 1 ? "is" : "are") + " enough under " + point.policy() + ": "
                + figures(point, goals) + cost(point) + ".";
    }

    private String cost(Point point) {
        return prices.areGiven() ? String.format(Locale.ROOT, "; cost %,.2f per hour", point.perHour()) : "";
    }

    private static String none(PlanResult.Curve curve, int most) {
        Point last = curve.points().get(curve.points().size() - 1);
        return "No size up to " + nodes(most) + " (--most-nodes) meets the goals: with " + last.nodes() + " "
                + (last.trouble().isEmpty() ? figures(last, curve.goals()) : last.trouble()) + ".";
    }

    static String nodes(int count) {
        return String.format(Locale.ROOT, "%,d node%s", count, count == 1 ? "" : "s");
    }

    static String figures(Point point, List<Goal> goals) {
        return goals.stream()
                .map(goal -> goal.subject() + " "
                        + (point.figure(goal).isPresent()
                                ? goal.shown(point.figure(goal).getAsDouble())
                                : "unknown"))
                .collect(Collectors.joining(", "));
    }

    private void tell(Point point, boolean isKept) {
        List<Goal> known = goals.stream()
                .filter(goal -> point.figures() != null
                        && (goal.queue().isEmpty()
                                || point.figures()
                                        .queues()
                                        .containsKey(goal.queue().get())))
                .toList();
        progress.accept(point.candidate().text() + ": "
                + (point.trouble().isEmpty()
                        ? figures(point, known) + (point.meets(known) ? ", meets the goals" : "")
                        : point.trouble())
                + (isKept ? " (done before)" : ""));
    }

    PlanReport report(String find, boolean isFound, String answer, List<PlanResult.Curve> curves) {
        PlanResult result =
                new PlanResult(find, isFound, request.replay().heading(), answer, goals, prices.areGiven(), curves);
        PlanFiles.write(out, result);
        return new PlanReport(PlanTable.text(result), result.isFound());
    }

    /** Simulates, one point for each candidate in their order. */
    List<Point> probe(Sizing sizing, List<Candidate> candidates) {
        return prober.probe(sizing, candidates);
    }

    void say(String line) {
        progress.accept(line);
    }

    PlanRequest request() {
        return request;
    }
}

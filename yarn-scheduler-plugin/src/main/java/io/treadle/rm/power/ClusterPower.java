// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.core.wire.BudgetUseRecord;
import io.treadle.rm.sleep.Sleeping;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Power and energy of the cluster: what it draws and may draw, over time, and who spent it. */
public final class ClusterPower {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterPower.class);

    /** Between two records of what was used of energy budgets, ms. */
    private static final long KEEP_MS = 60_000;
    /** Of silent nodes in a warning. */
    private static final int MOST_NAMES = 20;

    private final PowerAccounts accounts;
    private final PowerBudgets budgets;
    private final EnergyUse use;
    private final GridCarbon carbon;
    private final Sleeping sleeping;
    private final Consumer<Supplier<BudgetUseRecord>> keeper;
    private final Function<String, OptionalLong> samples;
    private final Observer observer;
    private final InstantSource clock;
    private final PowerHistory history = new PowerHistory();
    private final Set<String> told = new HashSet<>();
    private long keptMs;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread t = new Thread(task, "treadle-power");
        t.setDaemon(true);
        return t;
    });

    /** Is told what is drawn, every 10 s. */
    public interface Observer {
        /**
         * @param budgetWatts what may be drawn, W; empty for no limit
         * @param joules of all GPUs, J
         */
        void observe(double watts, OptionalDouble budgetWatts, double joules);
    }

    /**
     * @param use what was used of energy budgets
     * @param carbon read again now and then
     * @param sleeping nodes that are off
     * @param keeper takes what is to be written down of that; must not block
     * @param samples that a job has processed, by application; empty where nobody knows
     */
    public ClusterPower(
            PowerAccounts accounts,
            PowerBudgets budgets,
            EnergyUse use,
            GridCarbon carbon,
            Sleeping sleeping,
            Consumer<Supplier<BudgetUseRecord>> keeper,
            Function<String, OptionalLong> samples,
            Observer observer,
            InstantSource clock) {
        this.accounts = accounts;
        this.budgets = budgets;
        this.use = use;
        this.carbon = carbon;
        this.sleeping = sleeping;
        this.keeper = keeper;
        this.samples = samples;
        this.observer = observer;
        this.clock = clock;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // A tick lets nothing escape.
    public void start() {
        thread.scheduleWithFixedDelay(this::tick, PowerHistory.STEP_MS, PowerHistory.STEP_MS, TimeUnit.MILLISECONDS);
    }

    public void stop() {
        thread.shutdownNow();
    }

    /** Notes what is drawn now. */
    void tick() {
        try {
            ClusterDraw draw = accounts.draw();
            carbon.refresh();
            BudgetsInForce inForce = budgets.now();
            OptionalDouble budget = inForce.clusterWatts();
            history.add(new PowerHistory.Sample(clock.millis(), draw.watts(), budget, draw.queues()));
            observer.observe(draw.watts(), budget, accounts.ledger().sums().joules());
            accounts.ledger().sweep();
            tell(budgets.warnings(inForce));
            keep(clock.millis());
        } catch (Throwable e) { // Anything that is thrown would end all ticks to come.
            failed(e);
        }
    }

    private static void failed(Throwable failure) {
        try {
            LOG.error("What the cluster draws could not be noted", failure);
        } catch (Throwable e) {
            // Where memory is short not even that can be said; the next one may.
            return;
        }
    }

    /** Writes down what has been used of energy budgets, once a minute at most. */
    private void keep(long nowMs) {
        if (nowMs - keptMs >= KEEP_MS || nowMs < keptMs) {
            keeper.accept(use::record);
            keptMs = nowMs;
        }
    }

    /** Once, however the figures in it go up and down; again when it was gone meanwhile. */
    private void tell(List<String> warnings) {
        Set<String> now = new HashSet<>();
        for (String warning : warnings) {
            String kind = warning.replaceAll("[0-9.,]+", "");
            now.add(kind);
            if (!told.contains(kind)) {
                LOG.warn("{}", warning);
            }
        }
        told.clear();
        told.addAll(now);
    }

    public PowerBudgets budgets() {
        return budgets;
    }

    /** What is drawn now; of a cluster where no node speaks, nothing. */
    public ClusterDraw draw() {
        return accounts.draw();
    }

    public PowerHistory history() {
        return history;
    }

    /** A job of Treadle's is over; to be said before what it has told is forgotten. */
    public void jobEnded(String application) {
        accounts.ledger().end(application, samples.apply(application));
    }

    /** Of one that is there or has ended lately; empty where no node has counted anything for it. */
    public Optional<JobPower> job(String application) {
        return accounts.ledger().job(application).map(job -> power(job, accounts.draw()));
    }

    private JobPower power(EnergyLedger.Job job, ClusterDraw draw) {
        String id = job.owner().application();
        OptionalLong done = job.isOver() ? job.samples() : samples.apply(id);
        return new JobPower(
                job.owner(),
                draw.jobs().getOrDefault(id, 0.0),
                job.joules(),
                done.orElse(0) > 0 ? OptionalDouble.of(job.joules() / done.orElse(0)) : OptionalDouble.empty());
    }

    /** @param leafQueues full paths */
    public PowerReport report(List<String> leafQueues) {
        ClusterDraw draw = accounts.draw();
        BudgetsInForce inForce = budgets.now();
        EnergyLedger.Sums sums = accounts.ledger().sums();
        List<JobPower> jobs =
                accounts.ledger().jobs().stream().map(job -> power(job, draw)).toList();
        List<String> warnings = new ArrayList<>(budgets.warnings(inForce));
        if (!draw.silent().isEmpty()) {
            warnings.add("Nodes that have said nothing for a minute are not counted: " + names(draw.silent()) + ".");
        }
        warnings.addAll(sleeping.warnings());
        return new PowerReport(
                draw,
                inForce.clusterWatts(),
                inForce.clusterEnergy(),
                warnings,
                sums.joules(),
                sums.idleJoules(),
                nodes(),
                sleeping.states(),
                sleeping.isKnown(),
                queues(leafQueues, draw, inForce, sums, jobs),
                sums.users(),
                jobs,
                history.lastHour());
    }

    private static String names(List<String> nodes) {
        int more = nodes.size() - MOST_NAMES;
        return String.join(", ", nodes.subList(0, Math.min(MOST_NAMES, nodes.size())))
                + (more > 0 ? " and " + more + " more" : "");
    }

    private List<PowerReport.Node> nodes() {
        return accounts.meter().nodes(clock.millis());
    }

    private List<PowerReport.Queue> queues(
            List<String> leafQueues,
            ClusterDraw draw,
            BudgetsInForce inForce,
            EnergyLedger.Sums sums,
            List<JobPower> jobs) {
        Set<String> paths = new TreeSet<>(leafQueues);
        budgets.queues().stream().filter(inForce::hasOwn).forEach(paths::add);
        Map<String, Double> watts = QueuePaths.rolledUp(draw.queues());
        Map<String, Double> joules = QueuePaths.rolledUp(sums.queues());
        Map<String, Double> withGpus = QueuePaths.rolledUp(jobs.stream()
                .filter(job -> job.watts() > 0)
                .collect(Collectors.groupingBy(job -> job.owner().queue(), Collectors.summingDouble(job -> 1))));
        return paths.stream()
                .map(path -> new PowerReport.Queue(
                        path,
                        watts.getOrDefault(path, 0.0),
                        inForce.limitWatts(path),
                        inForce.energy(path),
                        joules.getOrDefault(path, 0.0),
                        withGpus.getOrDefault(path, 0.0).intValue()))
                .toList();
    }
}

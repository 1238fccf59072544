// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import io.treadle.live.Shown;
import io.treadle.simulator.bench.Compared;
import io.treadle.simulator.bench.Machine;
import io.treadle.simulator.bench.synergy.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The result as tables and {@code summary.json}. */
final class QueriesShown {
    static final double LEAST_TASKS = 2000;

    private QueriesShown() {}

    /**
     * @param tasks that do nothing, a second
     * @param judged whether it is enough to miss a goal by
     */
    static Shown of(Machine machine, List<Beside> results, double tasks, EmptyTasks empty, boolean judged) {
        double worst = results.stream()
                .flatMap(each -> Stream.of(each.ofMean(), each.ofP95()))
                .mapToDouble(ratio -> Math.abs(ratio - 1))
                .max()
                .orElse(Double.NaN);
        String opening = String.format(
                Locale.ROOT,
                "The simulator is off by %.1f %% at most in what queries take, on average and at the 95th percentile; a"
                        + " service runs %.0f empty tasks a second.",
                100 * worst,
                tasks);
        List<String> missed = new ArrayList<>();
        if (judged) {
            results.stream()
                    .filter(each -> !each.isWithin())
                    .forEach(each -> missed.add(String.format(
                            Locale.ROOT,
                            "%s at load %.1f: simulated, the mean is %.2f and the p95 %.2f times that of the service, must be"
                                    + " within 15 %%",
                            each.policy(),
                            each.load(),
                            each.ofMean(),
                            each.ofP95())));
            if (!(tasks >= LEAST_TASKS)) {
                missed.add(String.format(
                        Locale.ROOT, "%.0f empty tasks a second, must be at least %.0f", tasks, LEAST_TASKS));
            }
        }
        return new Shown(
                "Queries of a service live",
                opening,
                machine,
                List.of(beside(results), around(results), empty(tasks, empty)),
                List.of(),
                compared(results, tasks),
                List.of(),
                missed,
                Map.of(),
                Map.of("latencies.csv", table(results)));
    }

    private static Section beside(List<Beside> results) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "policy",
                "load",
                "a second",
                "queries",
                "mean live",
                "simulated",
                "ratio",
                "foretold",
                "p95 live",
                "simulated",
                "ratio",
                "foretold"));
        for (Beside each : results) {
            rows.add(List.of(
                    each.policy(),
                    decimal("%.1f", each.load()),
                    decimal("%.1f", each.perSecond()),
                    Integer.toString(each.live().size()),
                    decimal("%.1f ms", Beside.mean(each.live())),
                    decimal("%.1f ms", Beside.mean(each.simulated())),
                    decimal("%.2f", each.ofMean()),
                    decimal("%.2f", each.foretoldOfMean()),
                    decimal("%.1f ms", Beside.p95(each.live())),
                    decimal("%.1f ms", Beside.p95(each.simulated())),
                    decimal("%.2f", each.ofP95()),
                    decimal("%.2f", each.foretoldOfP95())));
        }
        return new Section(
                "beside",
                "Queries live and simulated",
                "From when a query was to come until its client had the answer, the warm-up of each load left out. The"
                        + " simulator has the same queries at the same times, and what the service's own profile says of"
                        + " tasks' runs and models' loads: of the time that was measured (simulated, ratio), and of the"
                        + " warm-up before (foretold, as a ratio). A ratio is what it makes of that which was measured live.",
                rows,
                List.of());
    }

    private static Section around(List<Beside> results) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("policy", "load", "overhead", "hand-over", "busy", "drift"));
        for (Beside each : results) {
            rows.add(List.of(
                    each.policy(),
                    decimal("%.1f", each.load()),
                    decimal("%.2f ms", each.overheads().queryMs()),
                    decimal("%.2f ms", each.overheads().handOverMs()),
                    decimal("%.2f", each.busy()),
                    decimal("%.2f", each.drift())));
        }
        return new Section(
                "around",
                "What is around them",
                "overhead: what a query of one task that does nothing takes beside that task, HTTP and all, while nothing"
                        + " else is asked; it is added to what is simulated. hand-over: likewise, between a task and the next."
                        + " busy: part of the time for which workers ran tasks. drift: how much longer tasks ran than in the"
                        + " warm-up; far from 1 where the machine had other work.",
                rows,
                List.of());
    }

    private static Section empty(double tasks, EmptyTasks empty) {
        return new Section(
                "empty",
                "Empty tasks",
                String.format(
                        Locale.ROOT,
                        "Queries of %d tasks of models that do nothing, by %d clients of one process over HTTP; client, master and"
                                + " workers share the machine.",
                        ServiceTexts.EMPTY_TASKS,
                        empty.clients()),
                List.of(
                        List.of("for", "tasks a second", "goal"),
                        List.of(
                                decimal("%.0f s", empty.seconds()),
                                decimal("%.0f", tasks),
                                decimal("%.0f", LEAST_TASKS))),
                List.of());
    }

    private static String decimal(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    private static List<Compared> compared(List<Beside> results, double tasks) {
        List<Compared> compared = new ArrayList<>();
        for (Beside each : results) {
            String name = String.format(Locale.ROOT, "live queries, %s at load %.1f: ", each.policy(), each.load());
            compared.add(new Compared(
                    name + "mean simulated, of the service's",
                    Beside.mean(each.simulated()),
                    Beside.mean(each.live()),
                    each.ofMean(),
                    "ms"));
            compared.add(new Compared(
                    name + "p95 simulated, of the service's",
                    Beside.p95(each.simulated()),
                    Beside.p95(each.live()),
                    each.ofP95(),
                    "ms"));
        }
        compared.add(new Compared(
                "live queries: empty tasks a second, of the goal", tasks, LEAST_TASKS, tasks / LEAST_TASKS, "1/s"));
        return compared;
    }

    private static String table(List<Beside> results) {
        StringBuilder text = new StringBuilder("policy,load,query,liveMs,simulatedMs,foretoldMs\n");
        for (Beside each : results) {
            for (int i = 0; i < each.live().size(); i++) {
                text.append(String.format(
                        Locale.ROOT,
                        "%s,%.1f,%d,%.3f,%.3f,%.3f\n",
                        each.policy(),
                        each.load(),
                        i,
                        each.live().get(i),
                        each.simulated().get(i),
                        each.foretold().get(i)));
            }
        }
        return text.toString();
    }
}

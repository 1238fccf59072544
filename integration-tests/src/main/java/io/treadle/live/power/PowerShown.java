// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import io.treadle.demo.DemoResult;
import io.treadle.live.Shown;
import io.treadle.live.StartUp;
import io.treadle.simulator.bench.Compared;
import io.treadle.simulator.bench.synergy.Section;
import io.treadle.simulator.report.Curves;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The result as tables, plots and {@code summary.json}. */
final class PowerShown {
    private static final List<String> CURVES = List.of("draw", "budget");

    private PowerShown() {}

    static Shown of(PowerResult result) {
        Map<String, String> tables = new LinkedHashMap<>();
        tables.put("jobs.csv", jobs(result));
        tables.put("draw.csv", draw(result));
        return new Shown(
                "PowerFlow live beside its simulator",
                String.format(
                        Locale.ROOT,
                        "Under a budget of %,.0f W jobs end %+.1f %% from what the simulator foretells, with %+.1f %% of"
                                + " the energy, and the nodes draw at most %,.0f W in any minute.",
                        result.mix().budgetWatts(),
                        result.jctError() * 100,
                        result.joulesError() * 100,
                        result.liveMostWatts()),
                result.machine(),
                List.of(whole(result), each(result)),
                CURVES,
                compared(result),
                result.failed(),
                result.missed(),
                result.profiles(),
                tables);
    }

    private static Section whole(PowerResult result) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "live", "foretold", "live by"));
        rows.add(row(
                "mean completion time",
                "s",
                result.live().meanJctSeconds(),
                result.foretold().meanJctSeconds()));
        rows.add(row(
                "energy of the jobs' GPUs",
                "kJ",
                result.live().allJoules() / 1000,
                result.foretold().allJoules() / 1000));
        rows.add(row(
                "most draw of a minute",
                "W",
                result.liveMostWatts(),
                result.foretold().mostWatts()));
        StartUp costs = StartUp.mean(result.live().startUps());
        List<Double> pauses = result.pauses();
        String paused = pauses.isEmpty()
                ? "No job got other GPUs."
                : String.format(
                        Locale.ROOT,
                        "Jobs got other GPUs %d times and then did not train for %.1f s (median; at most %.1f s), which is"
                                + " weighed, and foretold, as %d s.",
                        pauses.size(),
                        pauses.get(pauses.size() / 2),
                        pauses.get(pauses.size() - 1),
                        PowerNodes.RESCALE_SECONDS);
        return new Section(
                "whole",
                "Live and foretold",
                String.format(
                        Locale.ROOT,
                        "%d jobs under a budget of %,.0f W, %.0f %% of the peak. Goals: completion time and energy within"
                                + " 15 %%, no minute above 1.02 of the budget. The forecast is the simulator's engine with"
                                + " the same policy, from the profiles of energy that jobs of the same models left. What a"
                                + " job costs beside waiting and training is taken from the run, job by job: on average"
                                + " %.1f s until its ApplicationMaster asks, %.1f s to its first sample, %.1f s to end. %s",
                        result.mix().mix().size(),
                        result.mix().budgetWatts(),
                        result.mix().budgetShare() * 100,
                        costs.registerSeconds(),
                        costs.idleSeconds(),
                        costs.farewellSeconds(),
                        paused),
                rows,
                List.of(plot(result)));
    }

    private static List<String> row(String name, String unit, double live, double foretold) {
        return List.of(
                name,
                String.format(Locale.ROOT, "%,.1f %s", live, unit),
                String.format(Locale.ROOT, "%,.1f %s", foretold, unit),
                String.format(Locale.ROOT, "%+.1f %%", (live / foretold - 1) * 100));
    }

    private static Curves plot(PowerResult result) {
        List<Double> seconds = new ArrayList<>();
        List<Double> watts = new ArrayList<>();
        List<Double> budget = new ArrayList<>();
        for (PowerWatch.Sample sample : result.live().samples()) {
            seconds.add((sample.atMs() - result.live().samples().get(0).atMs()) / 1e3);
            watts.add(sample.watts());
            budget.add(result.mix().budgetWatts());
        }
        return new Curves(
                "Draw of all nodes, W, over seconds",
                Curves.Scale.NUMBER,
                List.of(new Curves.Curve(0, seconds, watts), new Curves.Curve(1, seconds, budget)));
    }

    private static Section each(PowerResult result) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "job", "arrives", "from submission to end", "foretold", "live by", "energy", "foretold", "live by"));
        for (DemoResult.Job job : result.live().jobs()) {
            PowerForecast.Foretold said = result.foretold(job);
            double joules = result.live().joules().getOrDefault(job.name(), Double.NaN);
            rows.add(List.of(
                    job.name(),
                    String.format(Locale.ROOT, "%.1f s", job.arrivalSeconds()),
                    String.format(Locale.ROOT, "%.1f s", job.jctSeconds()),
                    String.format(Locale.ROOT, "%.1f s", said.jctSeconds()),
                    String.format(Locale.ROOT, "%+.1f %%", (job.jctSeconds() / said.jctSeconds() - 1) * 100),
                    String.format(Locale.ROOT, "%.1f kJ", joules / 1000),
                    String.format(Locale.ROOT, "%.1f kJ", said.joules() / 1000),
                    String.format(Locale.ROOT, "%+.1f %%", (joules / said.joules() - 1) * 100)));
        }
        return new Section("jobs", "Each job", "Energy is that of the job's GPUs.", rows, List.of());
    }

    private static List<Compared> compared(PowerResult result) {
        return List.of(
                new Compared(
                        "live powerflow: mean JCT beside the one foretold",
                        result.live().meanJctSeconds(),
                        result.foretold().meanJctSeconds(),
                        result.live().meanJctSeconds() / result.foretold().meanJctSeconds(),
                        "s"),
                new Compared(
                        "live powerflow: energy of the jobs' GPUs beside the one foretold",
                        result.live().allJoules(),
                        result.foretold().allJoules(),
                        result.live().allJoules() / result.foretold().allJoules(),
                        "J"),
                Compared.least(
                        "live powerflow: most draw of a minute beside the budget",
                        result.liveMostWatts(),
                        result.mix().budgetWatts(),
                        "W"));
    }

    private static String jobs(PowerResult result) {
        StringBuilder text = new StringBuilder(
                "job,samples,arrivalSeconds,jctSeconds,foretoldJctSeconds,joules,foretoldJoules,finalStatus\n");
        for (DemoResult.Job job : result.live().jobs()) {
            PowerForecast.Foretold said = result.foretold(job);
            text.append(String.format(
                    Locale.ROOT,
                    "%s,%d,%.3f,%.3f,%.3f,%.1f,%.1f,%s\n",
                    job.name(),
                    job.samples(),
                    job.arrivalSeconds(),
                    job.jctSeconds(),
                    said.jctSeconds(),
                    result.live().joules().getOrDefault(job.name(), Double.NaN),
                    said.joules(),
                    job.finalStatus()));
        }
        return text.toString();
    }

    private static String draw(PowerResult result) {
        StringBuilder text = new StringBuilder("atMs,watts,budgetWatts,leastCapWatts,heldGpus\n");
        for (PowerWatch.Sample sample : result.live().samples()) {
            text.append(String.format(
                    Locale.ROOT,
                    "%d,%.1f,%.0f,%.0f,%d\n",
                    sample.atMs(),
                    sample.watts(),
                    result.mix().budgetWatts(),
                    sample.leastCapWatts(),
                    sample.heldGpus()));
        }
        return text.toString();
    }
}

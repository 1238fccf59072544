// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.powerflow;

import io.treadle.simulator.bench.BenchOutput;
import io.treadle.simulator.bench.Compared;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.report.CurvePage;
import io.treadle.simulator.report.Curves;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Writes {@code frontiers.csv}, {@code bench.html} and, last, {@code summary.json}. */
final class PowerFiles {
    private PowerFiles() {}

    /** @throws InputException if a file cannot be written */
    static void write(Path directory, PowerResult result, List<Compared> compared) {
        BenchOutput.write(directory, Map.of("frontiers.csv", frontiers(result), "bench.html", page(result)), compared);
    }

    private static String frontiers(PowerResult result) {
        StringBuilder text = new StringBuilder("work,seed,policy,knob,energyKwh,avgJctSeconds\n");
        for (PowerResult.Load load : result.loads()) {
            for (int rival = 0; rival < load.rivals().size(); rival++) {
                for (int i = 0; i < load.work().seeds().size(); i++) {
                    for (Frontier.Point point :
                            load.frontiers().get(rival).get(i).points()) {
                        text.append(String.format(
                                Locale.ROOT,
                                "\"%s\",%d,\"%s\",%s,%.3f,%.1f\n",
                                load.work().name(),
                                load.work().seeds().get(i),
                                load.rivals().get(rival).name(),
                                point.knob(),
                                point.kwh(),
                                point.seconds()));
                    }
                }
            }
        }
        return text.toString();
    }

    private static String page(PowerResult result) {
        List<String> names =
                result.loads().get(0).rivals().stream().map(Rival::name).toList();
        CurvePage page = new CurvePage("Completion times that energy buys", names).text(PowerText.explained(result));
        int number = 0;
        for (PowerResult.Load load : result.loads()) {
            String id = "load-" + number++;
            page.table(id, PowerText.heading(load), PowerText.rows(load), -1)
                    .plots(id + "-plots", "Frontiers: " + load.work().heading(), plots(load, result.seed()));
        }
        return page.table("plans", "What a plan costs", PowerText.cost(result.cost()), -1)
                .html();
    }

    /** Of the first seed: every rival's best points beside ours. */
    private static List<Curves> plots(PowerResult.Load load, long seed) {
        List<Curves> plots = new ArrayList<>();
        for (int rival = 1; rival < load.rivals().size(); rival++) {
            int ours = load.rivals().get(rival).besideOff() && rival != PowerResult.Load.OURS_OFF
                    ? PowerResult.Load.OURS_OFF
                    : 0;
            plots.add(new Curves(
                    "Mean completion time over energy, kWh, seed " + seed + ": "
                            + load.rivals().get(rival).name(),
                    Curves.Scale.TIME,
                    List.of(
                            curve(ours, load.frontiers().get(ours).get(0)),
                            curve(rival, load.frontiers().get(rival).get(0)))));
        }
        return plots;
    }

    /** At whole kWh, which axes can show; of points at the same the best. */
    private static Curves.Curve curve(int name, Frontier frontier) {
        TreeMap<Double, Double> secondsAt = new TreeMap<>();
        frontier.best().forEach(point -> secondsAt.put((double) Math.round(point.kwh()), point.seconds()));
        return new Curves.Curve(name, List.copyOf(secondsAt.keySet()), List.copyOf(secondsAt.values()));
    }
}

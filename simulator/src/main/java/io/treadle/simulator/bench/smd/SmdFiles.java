// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.smd;

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

/** Writes {@code runs.csv}, {@code bench.html} and, last, {@code summary.json}. */
final class SmdFiles {
    private SmdFiles() {}

    /** @throws InputException if a file cannot be written */
    static void write(Path directory, SmdResult result, List<Compared> compared) {
        BenchOutput.write(directory, Map.of("runs.csv", runs(result), "bench.html", page(result)), compared);
    }

    private static String runs(SmdResult result) {
        StringBuilder text = new StringBuilder("perHour,seed,policy,worth,avgJctSeconds,changes,stops\n");
        for (Online load : result.online()) {
            load.byPolicy().forEach((policy, runs) -> {
                for (int i = 0; i < runs.size(); i++) {
                    OnlineRun run = runs.get(i);
                    text.append(String.format(
                            Locale.ROOT,
                            "%s,%d,%s,%.3f,%.1f,%.3f,%.3f\n",
                            load.perHour(),
                            result.seed() + i,
                            policy,
                            run.worth(),
                            run.jctSeconds(),
                            run.changes(),
                            run.stops()));
                }
            });
        }
        return text.toString();
    }

    private static String page(SmdResult result) {
        CurvePage page = new CurvePage("What jobs with parameter servers are worth in the end", Online.POLICIES)
                .text(SmdText.explained(result));
        int number = 0;
        for (Online load : result.online()) {
            String id = "load-" + number++;
            page.table(id, SmdText.heading(load), SmdText.rows(load), -1)
                    .plots(id + "-plots", "Course", List.of(course(load, result.seed())));
        }
        return page.table("overload", SmdText.OVERLOAD, SmdText.overload(result), -1)
                .table("checks", "Sizes and knapsacks", SmdText.checks(result), -1)
                .table("rounds", "What a round costs", SmdText.rounds(result), -1)
                .html();
    }

    /** Of the first seed, what all ends until then were worth. */
    private static Curves course(Online load, long seed) {
        List<Curves.Curve> curves = new ArrayList<>();
        for (int i = 0; i < Online.POLICIES.size(); i++) {
            List<Double> course = load.of(Online.POLICIES.get(i)).get(0).course();
            List<Double> hours = new ArrayList<>();
            List<Double> worth = new ArrayList<>();
            int step = Math.max(1, course.size() / 40);
            for (int hour = 0; hour < course.size(); hour += step) {
                hours.add((double) hour);
                worth.add(course.get(hour));
            }
            curves.add(new Curves.Curve(i, hours, worth));
        }
        return new Curves(
                String.format(
                        Locale.ROOT,
                        "Worth of all that has ended, over hours; %.0f jobs an hour, seed %d",
                        load.perHour(),
                        seed),
                Curves.Scale.NUMBER,
                curves);
    }
}

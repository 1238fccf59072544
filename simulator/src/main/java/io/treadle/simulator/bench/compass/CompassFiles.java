// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.compass;

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
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Writes {@code runs.csv}, {@code bench.html} and, last, {@code summary.json}. */
final class CompassFiles {
    private CompassFiles() {}

    /** @throws InputException if a file cannot be written */
    static void write(Path directory, CompassResult result, List<Compared> compared) {
        BenchOutput.write(directory, Map.of("runs.csv", runs(result), "bench.html", page(result)), compared);
    }

    private static String runs(CompassResult result) {
        StringBuilder text =
                new StringBuilder("policy,workers,perSecond,stalenessMs,seed,meanMs,p95Ms,meanSlowdown,cacheHits\n");
        Stream.of(
                        result.loads().stream().flatMap(List::stream),
                        result.ablations().stream(),
                        result.stale().stream(),
                        Stream.of(
                                result.few(),
                                result.twice(),
                                result.many().ours(),
                                result.many().theirs()))
                .flatMap(cells -> cells)
                .forEach(cell -> {
                    for (int i = 0; i < cell.figures().size(); i++) {
                        QueryFigures run = cell.figures().get(i);
                        text.append(String.format(
                                Locale.ROOT,
                                "\"%s\",%d,%s,%s,%d,%.3f,%.3f,%.4f,%.4f\n",
                                cell.variant().name(),
                                cell.work().workers(),
                                cell.work().perSecond(),
                                cell.variant().settings(1).stalenessMs(),
                                result.seed() + i,
                                run.meanMs(),
                                run.p95Ms(),
                                run.meanSlowdown(),
                                run.hits()));
                    }
                });
        return text.toString();
    }

    private static String page(CompassResult result) {
        CurvePage page = new CurvePage(
                        "Queries on workers that keep models",
                        Variant.COMPARED.stream().map(Variant::name).toList())
                .text(CompassText.explained(result))
                .plots(
                        "loads",
                        "Over queries a second",
                        List.of(
                                curves("Mean latency, ms", result, QueryFigures::meanMs),
                                curves("95 % are answered within, ms", result, QueryFigures::p95Ms),
                                hits(result)));
        int number = 0;
        for (List<Cell> load : result.loads()) {
            page.table("load-" + number++, CompassText.heading(load), CompassText.load(load), 0);
        }
        return page.table("ablations", CompassText.ablationHeading(result), CompassText.ablations(result), 0)
                .table("fewer", CompassText.FEWER, CompassText.fewer(result), -1)
                .text(CompassText.many(result) + ".")
                .table("decisions", CompassText.DECISIONS, CompassText.decisions(result), -1)
                .html();
    }

    private static Curves hits(CompassResult result) {
        return new Curves("Part of models that were there", Curves.Scale.SHARE, each(result, QueryFigures::hits));
    }

    private static Curves curves(String title, CompassResult result, ToDoubleFunction<QueryFigures> figure) {
        return new Curves(title, Curves.Scale.POWERS, each(result, figure));
    }

    private static List<Curves.Curve> each(CompassResult result, ToDoubleFunction<QueryFigures> figure) {
        List<Curves.Curve> curves = new ArrayList<>();
        for (int i = 0; i < Variant.COMPARED.size(); i++) {
            int place = i;
            curves.add(new Curves.Curve(
                    i,
                    result.loads().stream()
                            .map(load -> load.get(0).work().perSecond())
                            .toList(),
                    result.loads().stream()
                            .map(load -> load.get(place).mean(figure))
                            .toList()));
        }
        return curves;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.demo.DemoResult;
import io.treadle.simulator.bench.synergy.Section;
import io.treadle.simulator.report.Curves;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The result as tables and plots. */
final class LiveSections {
    /** Curves of the plots. */
    static final List<String> NAMES = List.of("profile", "every size measured");

    private LiveSections() {}

    static List<Section> of(LiveResult result) {
        return List.of(ratio(result), jobs(result), costs(result), curves(result));
    }

    private static Section ratio(LiveResult result) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("mean JCT", result.baseline().policy(), result.ours().policy(), "ratio"));
        rows.add(row("live", result.baseline().meanJctSeconds(), result.ours().meanJctSeconds()));
        rows.add(row(
                "foretold", result.foretoldMeanSeconds(result.baseline()), result.foretoldMeanSeconds(result.ours())));
        StartUp first = StartUp.mean(result.baseline().startUps());
        StartUp second = StartUp.mean(result.ours().startUps());
        return new Section(
                "ratio",
                "Live and foretold",
                String.format(
                        Locale.ROOT,
                        "The live ratio is %+.1f %% from the one foretold; within 15 %% is the goal. The forecast is"
                                + " the simulator's engine on the same nodes and jobs, with speeds from the recorded"
                                + " profiles. What a job costs beside waiting and training is taken from the run, job by"
                                + " job, on average: %.1f and %.1f s until its ApplicationMaster asks for workers, %.1f and"
                                + " %.1f s in which it holds its GPUs and does not train, %.1f and %.1f s to end.",
                        result.ratioError() * 100,
                        first.registerSeconds(),
                        second.registerSeconds(),
                        first.idleSeconds(),
                        second.idleSeconds(),
                        first.farewellSeconds(),
                        second.farewellSeconds()),
                rows,
                List.of());
    }

    private static List<String> row(String name, double baseline, double ours) {
        return List.of(name, seconds(baseline), seconds(ours), String.format(Locale.ROOT, "%.3f", baseline / ours));
    }

    private static Section jobs(LiveResult result) {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("job", "workers", "arrives"));
        for (Mixed mix : result.mixes()) {
            head.add(mix.policy());
            head.add("foretold");
            head.add("live by");
        }
        rows.add(head);
        for (int i = 0; i < result.baseline().jobs().size(); i++) {
            DemoResult.Job first = result.baseline().jobs().get(i);
            List<String> row = new ArrayList<>(
                    List.of(first.name(), first.gang().replaceAll(".*/", ""), seconds(first.arrivalSeconds())));
            for (Mixed mix : result.mixes()) {
                double live = mix.jobs().get(i).jctSeconds();
                double said = result.foretoldSeconds(mix, first.name());
                row.add(seconds(live));
                row.add(seconds(said));
                row.add(String.format(Locale.ROOT, "%+.1f %%", (live / said - 1) * 100));
            }
            rows.add(row);
        }
        return new Section("jobs", "Each job", "From submission to end.", rows, List.of());
    }

    private static Section costs(LiveResult result) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "worker",
                "sizes profiled",
                "largest difference",
                "mean difference",
                "profiling",
                "every size",
                "costs",
                "error of every size at most"));
        for (Curve curve : result.curves()) {
            rows.add(List.of(
                    curve.kind(),
                    String.valueOf(curve.sizesProfiled()),
                    percent(curve.largestDifference()),
                    percent(curve.meanDifference()),
                    seconds(curve.profileSeconds()),
                    seconds(curve.measuredSeconds()),
                    String.format(Locale.ROOT, "1/%.1f", 1 / curve.costs()),
                    percent(curve.largestError())));
        }
        return new Section(
                "profiles",
                "Profiles and exhaustive measurement",
                "A profile is what Treadle found in place while the worker trained, as policies plan with it: between"
                        + " and beyond the sizes that it tried, too. Its time goes from the worker's first progress to the"
                        + " end of profiling, all waiting for new sizes and settling counted. The same worker was then"
                        + " measured at every size in a container that the ResourceManager resized in place; there only"
                        + " the measuring itself counts. Goals: no difference above 5 %, at most 1/5 of the time.",
                rows,
                List.of());
    }

    private static Section curves(LiveResult result) {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("vcores"));
        for (Curve curve : result.curves()) {
            head.addAll(List.of(curve.kind(), "measured", "difference"));
        }
        rows.add(head);
        for (int i = 0; i < result.curves().get(0).points().size(); i++) {
            List<String> row = new ArrayList<>(List.of(
                    String.valueOf(result.curves().get(0).points().get(i).vcores())));
            for (Curve curve : result.curves()) {
                Curve.Point point = curve.points().get(i);
                row.add(String.format(Locale.ROOT, "%.1f", point.profiled()));
                row.add(String.format(Locale.ROOT, "%.1f", point.measured().samplesPerSecond()));
                row.add(String.format(Locale.ROOT, "%+.1f %%", point.difference() * 100));
            }
            rows.add(row);
        }
        return new Section("curves", "Speed over vcores", "Samples a second.", rows, plots(result));
    }

    private static List<Curves> plots(LiveResult result) {
        List<Curves> plots = new ArrayList<>();
        for (Curve curve : result.curves()) {
            List<Double> vcores = curve.points().stream()
                    .map(point -> (double) point.vcores())
                    .toList();
            plots.add(new Curves(
                    "Samples a second of " + curve.kind() + " over vcores",
                    Curves.Scale.NUMBER,
                    List.of(
                            new Curves.Curve(
                                    0,
                                    vcores,
                                    curve.points().stream()
                                            .map(Curve.Point::profiled)
                                            .toList()),
                            new Curves.Curve(
                                    1,
                                    vcores,
                                    curve.points().stream()
                                            .map(point -> point.measured().samplesPerSecond())
                                            .toList()))));
        }
        return plots;
    }

    private static String seconds(double value) {
        return String.format(Locale.ROOT, "%.1f s", value);
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.1f %%", part * 100);
    }
}

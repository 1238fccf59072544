// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** How policies compare, drawn. */
final class ServeCharts {
    /** A curve of more points looks no other. */
    private static final int STEPS = 200;

    private static final int BUCKETS = 60;
    private static final double TAIL = 95;
    private static final double GAP = 0.25;
    private static final double MS = 1e3;

    private ServeCharts() {}

    /** The share of all queries that are answered within a time; a curve that ends below 100 % had failures. */
    static String distribution(ServeResult result) {
        Scale time = Scale.log(
                Math.max(0.1, answers(result).min().orElse(1)),
                answers(result).max().orElse(10),
                Plot.LEFT,
                Plot.RIGHT);
        Scale share = Scale.linear(100, Plot.BASE, Plot.TOP);
        Plot plot = new Plot("share of queries answered within a time, by policy")
                .vertical(share, part -> String.format(Locale.ROOT, "%.0f %%", part))
                .horizontal(time, ServeCharts::plain, "ms from a query's arrival to its answer")
                .baseline();
        for (int i = 0; i < result.runs().size(); i++) {
            PolicyRun run = result.runs().get(i);
            Percentiles latencies = run.latencies();
            double part = (double) latencies.count() / Math.max(1, run.answers().size());
            List<double[]> points = new ArrayList<>();
            for (int step = 1; step <= STEPS && latencies.count() > 0; step++) {
                double percent = 100.0 * step / STEPS;
                points.add(new double[] {time.at(latencies.at(percent)), share.at(percent * part)});
            }
            plot.curve(i, points);
        }
        return plot.svg();
    }

    private static DoubleStream answers(ServeResult result) {
        return result.runs().stream()
                .flatMap(run -> run.answers().stream())
                .filter(Answered::succeeded)
                .mapToDouble(Answered::latencyMs);
    }

    /** The 95th percentile, a group for each workflow and a bar for each policy. */
    static String workflows(ServeResult result) {
        List<String> names = List.copyOf(result.workflows());
        double most = 0;
        for (PolicyRun run : result.runs()) {
            for (String name : names) {
                double tail = run.latencies(name).at(TAIL);
                most = Double.isNaN(tail) ? most : Math.max(most, tail);
            }
        }
        Scale time = Scale.linear(most, Plot.BASE, Plot.TOP);
        Plot plot =
                new Plot("95th percentile of latency, by workflow and policy").vertical(time, ms -> plain(ms) + " ms");
        double group = (Plot.RIGHT - Plot.LEFT) / Math.max(1, names.size());
        double bar = group * (1 - GAP) / result.runs().size();
        for (int i = 0; i < names.size(); i++) {
            double left = Plot.LEFT + i * group + group * GAP / 2;
            for (int j = 0; j < result.runs().size(); j++) {
                PolicyRun run = result.runs().get(j);
                double tail = run.latencies(names.get(i)).at(TAIL);
                if (!Double.isNaN(tail)) {
                    String title = names.get(i) + " under " + run.policy() + ": " + ServeTable.ms(tail);
                    plot.bar(j, left + j * bar, bar - 1, time.at(tail), title);
                }
            }
            plot.text("tick", Plot.LEFT + (i + 0.5) * group, Plot.BASE + 14, names.get(i));
        }
        return plot.named("workflow").baseline().svg();
    }

    /** Means of the queries that came in each sixtieth of the time. */
    static String timeline(ServeResult result) {
        double end = result.runs().stream()
                .flatMap(run -> run.answers().stream())
                .mapToDouble(Answered::arrivalMs)
                .max()
                .orElse(0);
        List<double[]> curves =
                result.runs().stream().map(run -> means(run, end)).toList();
        double most = curves.stream()
                .flatMapToDouble(DoubleStream::of)
                .filter(mean -> !Double.isNaN(mean))
                .max()
                .orElse(1);
        Scale seconds = Scale.linear(end / MS, Plot.LEFT, Plot.RIGHT);
        Scale time = Scale.linear(most, Plot.BASE, Plot.TOP);
        Plot plot = new Plot("mean latency of queries by when they came, by policy")
                .vertical(time, ms -> plain(ms) + " ms")
                .horizontal(seconds, second -> plain(second) + " s", "when queries came")
                .baseline();
        for (int i = 0; i < curves.size(); i++) {
            List<double[]> points = new ArrayList<>();
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                double mean = curves.get(i)[bucket];
                if (!Double.isNaN(mean)) {
                    double second = (bucket + 0.5) / BUCKETS * end / MS;
                    points.add(new double[] {seconds.at(second), time.at(mean)});
                }
            }
            plot.curve(i, points);
        }
        return plot.svg();
    }

    private static double[] means(PolicyRun run, double endMs) {
        double[] sums = new double[BUCKETS];
        int[] counts = new int[BUCKETS];
        for (Answered answer : run.answers()) {
            if (answer.succeeded()) {
                int bucket = Math.min(BUCKETS - 1, (int) (answer.arrivalMs() / Math.max(endMs, 1e-9) * BUCKETS));
                sums[bucket] += answer.latencyMs();
                counts[bucket]++;
            }
        }
        double[] means = new double[BUCKETS];
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            means[bucket] = counts[bucket] == 0 ? Double.NaN : sums[bucket] / counts[bucket];
        }
        return means;
    }

    /** Without a fraction that says nothing. */
    private static String plain(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%,.3f", value).replaceAll("0+$", "");
    }
}

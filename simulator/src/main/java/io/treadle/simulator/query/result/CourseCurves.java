// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.result;

import io.treadle.simulator.query.engine.FoldingSeries;
import io.treadle.simulator.query.engine.QueryRun;
import io.treadle.simulator.query.engine.WorkerFigures;
import io.treadle.simulator.report.Curves;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** What happened over time. */
final class CourseCurves {
    /** Of a curve: more cannot be told apart. */
    private static final int POINTS = 60;

    private CourseCurves() {}

    static List<Curves> of(List<QueryRun> runs) {
        return List.of(
                over(runs, "Queries on their way, on average", Curves.Scale.NUMBER, CourseCurves::waiting),
                over(runs, "Part of models that were there", Curves.Scale.SHARE, CourseCurves::hits),
                over(runs, "Part of workers that ran a task", Curves.Scale.SHARE, CourseCurves::busy));
    }

    /** Values of stretches of time of one length. */
    private record Course(double lengthMs, List<Double> values) {}

    private static Curves over(List<QueryRun> runs, String title, Curves.Scale scale, Function<QueryRun, Course> of) {
        List<Curves.Curve> curves = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
            Course course = of.apply(runs.get(i));
            List<Double> seconds = new ArrayList<>();
            List<Double> values = new ArrayList<>();
            for (int at = 0; at < course.values().size(); at++) {
                if (!Double.isNaN(course.values().get(at))) {
                    seconds.add(Math.rint(at * course.lengthMs() / 100) / 10);
                    values.add(course.values().get(at));
                }
            }
            curves.add(new Curves.Curve(i, seconds, values));
        }
        return new Curves(title, scale, curves);
    }

    private static Course waiting(QueryRun run) {
        return thin(
                run.waiting().lengthMs(),
                run.waiting().sums(),
                ones(run.waiting().sums().length, run.waiting().lengthMs()));
    }

    private static Course hits(QueryRun run) {
        FoldingSeries looked = run.cache().looked();
        double[] there = looked.sums();
        double[] missed = run.cache().missed().sums();
        for (int i = 0; i < there.length; i++) {
            there[i] -= missed[i];
        }
        return thin(looked.lengthMs(), there, looked.sums());
    }

    private static Course busy(QueryRun run) {
        double lengthMs = run.workers().stream()
                .mapToDouble(worker -> worker.busy().lengthMs())
                .max()
                .orElseThrow();
        int stretches = (int) (run.endMs() / lengthMs) + 1;
        double[] sums = new double[stretches];
        for (WorkerFigures worker : run.workers()) {
            double[] own = WorkerRows.stretched(worker, lengthMs, stretches);
            for (int i = 0; i < stretches; i++) {
                sums[i] += own[i];
            }
        }
        return thin(lengthMs, sums, ones(stretches, lengthMs * run.workers().size()));
    }

    private static double[] ones(int count, double value) {
        return IntStream.range(0, count).mapToDouble(i -> value).toArray();
    }

    /** Quotients of sums over as many stretches as a curve has points; NaN where nothing was asked. */
    private static Course thin(double lengthMs, double[] sums, double[] of) {
        int step = (sums.length + POINTS - 1) / POINTS;
        double[] values = new double[(sums.length + step - 1) / step];
        for (int i = 0; i < values.length; i++) {
            double sum = 0;
            double whole = 0;
            for (int at = i * step; at < Math.min(sums.length, (i + 1) * step); at++) {
                sum += sums[at];
                whole += of[at];
            }
            values[i] = whole == 0 ? Double.NaN : sum / whole;
        }
        return new Course(lengthMs * step, Arrays.stream(values).boxed().toList());
    }
}

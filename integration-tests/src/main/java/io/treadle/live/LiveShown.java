// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.demo.DemoResult;
import io.treadle.simulator.bench.Compared;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What came out, for people and for {@code summary.json}. */
final class LiveShown {
    private LiveShown() {}

    static Shown of(LiveResult result) {
        Map<String, String> tables = new LinkedHashMap<>();
        tables.put("jobs.csv", jobs(result));
        tables.put("curves.csv", curves(result));
        return new Shown(
                "Treadle live beside its simulator",
                String.format(
                        Locale.ROOT,
                        "Jobs are done %.2f times as soon under %s as under %s; the simulator foretells %.2f from the"
                                + " recorded profiles.",
                        result.ratio(),
                        result.ours().policy(),
                        result.baseline().policy(),
                        result.foretoldRatio()),
                result.machine(),
                LiveSections.of(result),
                LiveSections.NAMES,
                compared(result),
                result.failed(),
                result.missed(),
                result.profiles(),
                tables);
    }

    private static List<Compared> compared(LiveResult result) {
        List<Compared> compared = new ArrayList<>();
        compared.add(Compared.least(
                "live fifo: mean JCT",
                result.ours().meanJctSeconds(),
                result.baseline().meanJctSeconds(),
                "s"));
        compared.add(Compared.least(
                "live fifo, foretold: mean JCT",
                result.foretoldMeanSeconds(result.ours()),
                result.foretoldMeanSeconds(result.baseline()),
                "s"));
        for (Curve curve : result.curves()) {
            compared.add(Compared.least(
                    "profile of " + curve.kind() + ": time beside every size measured",
                    curve.profileSeconds(),
                    curve.measuredSeconds(),
                    "s"));
        }
        return compared;
    }

    private static String jobs(LiveResult result) {
        StringBuilder text =
                new StringBuilder("policy,job,samples,arrivalSeconds,jctSeconds,foretoldJctSeconds,finalStatus\n");
        for (Mixed mix : result.mixes()) {
            for (DemoResult.Job job : mix.jobs()) {
                text.append(String.format(
                        Locale.ROOT,
                        "%s,%s,%d,%.3f,%.3f,%.3f,%s\n",
                        mix.policy(),
                        job.name(),
                        job.samples(),
                        job.arrivalSeconds(),
                        job.jctSeconds(),
                        result.foretoldSeconds(mix, job.name()),
                        job.finalStatus()));
            }
        }
        return text.toString();
    }

    private static String curves(LiveResult result) {
        StringBuilder text =
                new StringBuilder("worker,vcores,profiledSamplesPerSecond,measuredSamplesPerSecond,measuredError\n");
        for (Curve curve : result.curves()) {
            for (Curve.Point point : curve.points()) {
                text.append(String.format(
                        Locale.ROOT,
                        "%s,%d,%.3f,%.3f,%.5f\n",
                        curve.kind(),
                        point.vcores(),
                        point.profiled(),
                        point.measured().samplesPerSecond(),
                        point.measured().relativeError()));
            }
        }
        return text.toString();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.util.Arrays;
import java.util.List;

/** What the jobs that have ended are worth, over time; nothing where of none it is said by when it should end. */
final class UtilitySection {
    private UtilitySection() {}

    static String html(List<PolicyFigures> policies) {
        if (policies.stream().allMatch(policy -> policy.summary().totalUtility() == null)) {
            return "";
        }
        double end = policies.stream()
                .mapToDouble(
                        policy -> policy.series().stretches() * policy.series().stretchSeconds())
                .max()
                .orElse(1);
        double most = policies.stream()
                .flatMapToDouble(policy -> Arrays.stream(policy.utility()))
                .max()
                .orElse(1);
        LinePlot plot = new LinePlot(
                "What ended jobs are worth over time, one curve for each policy", Axis.time(end), Axis.number(most));
        for (int i = 0; i < policies.size(); i++) {
            TimeSeries series = policies.get(i).series();
            double[] ends = new double[series.stretches() + 1];
            for (int stretch = 0; stretch < ends.length; stretch++) {
                ends[stretch] = stretch * series.stretchSeconds();
            }
            plot.curve(i, ends, policies.get(i).utility());
        }
        return "<section id=\"utility\"><h2>What ended jobs are worth over time</h2>"
                + Series.legend(policies.stream()
                        .map(policy -> policy.summary().policy())
                        .toList())
                + plot.html("tall")
                + "<p class=\"note\">Sum of the utilities of the jobs that have ended by then, in the trace's own unit."
                + " Each is its job's weight if it ends long before its target, half of it at the target, and nothing"
                + " long after. Time since the first submission.</p></section>\n";
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.util.List;

/** How much longer jobs of each size and run time took than they ran. */
final class SlowdownSection {
    private SlowdownSection() {}

    static String html(List<PolicyFigures> policies) {
        if (policies.stream().allMatch(policy -> policy.jctSeconds().length == 0)) {
            return "";
        }
        GroupBars bars = GroupBars.of(policies);
        StringBuilder page = new StringBuilder("<section id=\"slowdown\"><h2>Mean slowdown</h2>")
                .append(Series.legend(bars.names()));
        page.append("<div class=\"two\"><div id=\"by-size\"><h3>by GPUs</h3>");
        page.append(bars.html(
                policies.get(0).sizes(),
                PolicyFigures::sizes,
                group -> group.slowdown().mean(),
                Html::times));
        page.append("</div><div id=\"by-length\"><h3>by run time</h3>");
        page.append(bars.html(
                policies.get(0).lengths(),
                PolicyFigures::lengths,
                group -> group.slowdown().mean(),
                Html::times));
        return page.append(
                        "</div></div><p class=\"note\">Completion time over run time on its share of the cluster, at least 1;"
                                + " run times below 10 s count as 10 s, so that the shortest jobs do not outweigh all others.</p></section>\n")
                .toString();
    }
}

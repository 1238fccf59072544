// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.result.SummaryTable;
import java.util.Comparator;
import java.util.List;

/** Which queues' jobs wait. */
final class QueuesSection {
    /** More queues than that make bars that nobody compares. */
    private static final int MOST_QUEUES = 16;

    private QueuesSection() {}

    static String html(List<PolicyFigures> policies) {
        // All policies replay the same jobs: their groups differ in waits only.
        List<Groups.Group> queues = policies.get(0).queues().stream()
                .sorted(Comparator.comparingDouble(Groups.Group::gpuSeconds)
                        .reversed()
                        .thenComparing(Groups.Group::name))
                .toList();
        if (queues.size() < 2) {
            return "";
        }
        GroupBars bars = GroupBars.of(policies);
        StringBuilder page = new StringBuilder("<section id=\"queues\"><h2>Mean wait by queue</h2>")
                .append(Series.legend(bars.names()));
        page.append(bars.html(
                queues.stream().limit(MOST_QUEUES).toList(),
                PolicyFigures::queues,
                group -> group.waitSeconds().mean(),
                SummaryTable::time));
        page.append("<p class=\"note\">Queues by the GPU time that their jobs ask for");
        if (queues.size() > MOST_QUEUES) {
            page.append("; ").append(queues.size() - MOST_QUEUES).append(" that ask for less are left out here");
        }
        return page.append(".</p></section>\n").toString();
    }
}

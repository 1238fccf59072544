// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.simulator.bench.Compared;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What it is worth that an order which stops jobs weighs what a stop costs them. */
final class StopStudy implements Study {
    private static final List<Rules> RULES = List.of(Rules.OURS, Rules.OURS_STOPS_CHARGED, Rules.OURS_STOPS_WEIGHED);
    private static final List<String> ORDERS = List.of("srtf", "las");

    private final List<Work> works;

    /** @param works whose lists are served in these orders */
    StopStudy(List<Work> works) {
        this.works = List.copyOf(works);
    }

    private static Setting setting(Work work, String order, Rules rules) {
        return new Setting(work.list(), Servers.SYNERGY, order, rules);
    }

    @Override
    public Map<Setting, List<String>> wanted() {
        Map<Setting, List<String>> wanted = new LinkedHashMap<>();
        for (Work work : works) {
            for (String order : ORDERS) {
                RULES.forEach(rules -> wanted.put(setting(work, order, rules), List.of(Allocations.BALANCED)));
            }
        }
        return wanted;
    }

    @Override
    public List<Section> sections(Figures figures) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("order", "jobs", "stops cost nothing", "charged", "charged and weighed", "charged ÷ weighed"));
        for (Work work : works) {
            for (String order : ORDERS) {
                List<Double> hours = RULES.stream()
                        .map(rules -> figures.meanHours(setting(work, order, rules), Allocations.BALANCED))
                        .toList();
                List<String> row = new ArrayList<>(List.of(order, work.list().words()));
                hours.forEach(mean -> row.add(Texts.hours(mean)));
                row.add(Texts.times(hours.get(1) / hours.get(2)));
                rows.add(row);
            }
        }
        return List.of(new Section(
                "stops",
                "What stops cost: mean job completion time under " + Allocations.BALANCED + ", h",
                "Simulated: ours, where jobs are stopped for others. " + Rules.OURS_STOPS_CHARGED.words()
                        + ". Weighed: a job is stopped only for more than that.",
                rows,
                List.of()));
    }

    @Override
    public List<Compared> compared(Figures figures) {
        List<Compared> compared = new ArrayList<>();
        for (Work work : works) {
            for (String order : ORDERS) {
                compared.add(Compared.least(
                        order + " " + work.list().words()
                                + ": mean JCT where what stops cost is weighed, beside charged alone",
                        figures.meanHours(setting(work, order, Rules.OURS_STOPS_WEIGHED), Allocations.BALANCED),
                        figures.meanHours(setting(work, order, Rules.OURS_STOPS_CHARGED), Allocations.BALANCED),
                        "h"));
            }
        }
        return compared;
    }
}

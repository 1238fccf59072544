// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.simulator.report.CurvePage;

/** {@code bench.html}. */
final class SynergyPage {
    private SynergyPage() {}

    static String html(SynergyResult result) {
        CurvePage page = new CurvePage("Treadle beside Synergy", Allocations.ALL);
        page.opening(result.compared().stream()
                .findFirst()
                .map(row -> row.name() + ": " + Texts.hours(row.ours()) + " h and " + Texts.hours(row.theirs()) + " h.")
                .orElse(""));
        page.text(Explained.of(result));
        result.wrong().forEach(page::text);
        for (Section section : result.sections()) {
            page.table(section.id(), section.heading(), section.rows(), -1);
            page.text(section.text());
            if (!section.plots().isEmpty()) {
                page.plots(section.id() + "-plots", section.heading() + ": plots", section.plots());
            }
        }
        return page.html();
    }
}

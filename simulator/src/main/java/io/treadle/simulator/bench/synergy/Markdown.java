// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** The tables as Markdown, for the documentation. */
public final class Markdown {
    private Markdown() {}

    static String of(SynergyResult result) {
        return of(result.sections()) + result.checked() + (result.checked().isEmpty() ? "" : "\n");
    }

    public static String of(List<Section> sections) {
        StringBuilder text = new StringBuilder();
        for (Section section : sections) {
            text.append("## ").append(section.heading()).append("\n\n");
            text.append(section.text()).append("\n\n");
            table(text, section.rows());
        }
        return text.toString();
    }

    private static void table(StringBuilder text, List<List<String>> rows) {
        line(text, rows.get(0));
        line(text, Collections.nCopies(rows.get(0).size(), "---"));
        rows.subList(1, rows.size()).forEach(row -> line(text, row));
        text.append('\n');
    }

    private static void line(StringBuilder text, List<String> cells) {
        text.append(cells.stream().collect(Collectors.joining(" | ", "| ", " |\n")));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The table at the end of a sweep, for a terminal: means over seeds. */
public final class SweepTable {
    private static final Set<String> LEFT_OUT = Set.of("fragmentation", "migrations");

    private SweepTable() {}

    public static String of(List<SweepRow> rows) {
        List<SweepCell> cells = SweepCell.of(rows);
        boolean hasSeeds = cells.stream().anyMatch(cell -> cell.seeds().size() > 1);
        boolean hasSizes = cells.stream().map(SweepCell::nodes).distinct().count() > 1;
        boolean hasLoads = cells.stream().anyMatch(cell -> cell.load() != null);
        List<SweepFigure> figures = SweepFigure.ALL.stream()
                .filter(figure -> !LEFT_OUT.contains(figure.name()))
                .toList();
        List<List<String>> table = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("policy"));
        if (hasSizes) {
            head.add("nodes");
        }
        if (hasLoads) {
            head.add("load");
        }
        figures.forEach(figure -> head.add(figure.name()));
        if (hasSeeds) {
            head.add(2 + (hasSizes ? 1 : 0) + (hasLoads ? 1 : 0), "95 % ±");
        }
        table.add(head);
        for (SweepCell cell : cells) {
            List<String> row = new ArrayList<>(List.of(cell.policy()));
            if (hasSizes) {
                row.add(String.format(Locale.ROOT, "%,d", cell.nodes()));
            }
            if (hasLoads) {
                row.add(load(cell));
            }
            for (SweepFigure figure : figures) {
                row.add(figure.over(cell).map(mean -> figure.text(mean.mean())).orElse("–"));
                if (hasSeeds && figure.equals(figures.get(0))) {
                    row.add(figure.over(cell)
                            .filter(mean -> cell.seeds().size() > 1)
                            .map(mean -> figure.text(mean.halfWidth()))
                            .orElse("–"));
                }
            }
            table.add(row);
        }
        return TextTable.of(table);
    }

    /** As it was asked for. */
    public static String load(SweepCell cell) {
        Double load = cell.load();
        return load == null
                ? "–"
                : java.math.BigDecimal.valueOf(load).stripTrailingZeros().toPlainString();
    }
}

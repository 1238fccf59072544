// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The comparison for a terminal. */
public final class ServeText {
    private ServeText() {}

    public static List<String> lines(ServeResult result) {
        List<String> lines = new ArrayList<>(aligned(ServeTable.policies(result)));
        lines.add("");
        lines.addAll(aligned(ServeTable.workflows(result)));
        return lines;
    }

    /** The first column to the left, the others to the right. */
    private static List<String> aligned(List<List<String>> rows) {
        int[] widths = IntStream.range(0, rows.get(0).size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return rows.stream()
                .map(row -> {
                    StringBuilder line = new StringBuilder(" ").append(row.get(0));
                    line.append(" ".repeat(widths[0] - row.get(0).length()));
                    for (int column = 1; column < widths.length; column++) {
                        String cell = row.get(column);
                        line.append(" ".repeat(2 + widths[column] - cell.length()))
                                .append(cell);
                    }
                    return line.toString();
                })
                .toList();
    }
}

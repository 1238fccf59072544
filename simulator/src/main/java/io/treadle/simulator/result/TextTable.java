// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import java.util.List;

/** Rows of texts as a table for a terminal. */
public final class TextTable {
    private TextTable() {}

    /** @param rows the first is the head; all are of one length, and their first column is on the left */
    public static String of(List<List<String>> rows) {
        int[] width = new int[rows.get(0).size()];
        rows.forEach(row -> {
            for (int i = 0; i < width.length; i++) {
                width[i] = Math.max(width[i], row.get(i).length());
            }
        });
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < width.length; i++) {
                String pad = " ".repeat(width[i] - row.get(i).length());
                line.append(i == 0 ? "" : "  ").append(i == 0 ? row.get(i) + pad : pad + row.get(i));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.util.Locale;

/** Draws speed with characters: measured points, the curve that the scheduler makes of them, the useful amount. */
final class CurveDrawing {
    private static final int WIDTH = 60;
    private static final int HEIGHT = 14;
    /** From one label of the axis to the next. */
    private static final int LABEL_ROWS = 4;

    private static final int BRAILLE = 0x2800;
    /** Bits of a braille cell's dots, by row and column. */
    private static final int[][] DOTS = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

    private final CurveAxis axis;
    private final boolean unicode;
    private final double widest;
    private final double fastest;
    private final char[][] cells = new char[HEIGHT][WIDTH];

    private CurveDrawing(CurveAxis axis, boolean unicode) {
        this.axis = axis;
        this.unicode = unicode;
        this.widest = axis.widest();
        this.fastest = axis.fastest();
        for (char[] row : cells) {
            java.util.Arrays.fill(row, ' ');
        }
    }

    /**
     * @param unicode whether braille may be used; else plain ASCII
     * @return lines
     */
    static String draw(CurveAxis axis, boolean unicode) {
        CurveDrawing drawing = new CurveDrawing(axis, unicode);
        drawing.mark();
        drawing.line();
        axis.measured().forEach(drawing::point);
        return drawing.text();
    }

    private int column(double amount) {
        return (int) Math.min(WIDTH - 1, Math.round((WIDTH - 1) * amount / widest));
    }

    private int row(double speed) {
        return (int) Math.min(HEIGHT - 1, Math.max(0, Math.round((HEIGHT - 1) * (1 - speed / fastest))));
    }

    private void mark() {
        for (int row = 0; row < HEIGHT; row++) {
            cells[row][column(axis.useful())] = unicode ? '┊' : ':';
        }
    }

    private void line() {
        int finer = unicode ? 2 : 1;
        for (int x = 0; x < WIDTH * finer; x++) {
            double speed = axis.speed().applyAsDouble(widest * x / (WIDTH * finer - 1));
            if (!unicode) {
                cells[row(speed)][x] = '.';
                continue;
            }
            int y = (int) Math.min(4 * HEIGHT - 1, Math.round((4 * HEIGHT - 1) * (1 - speed / fastest)));
            char before = cells[y / 4][x / 2];
            int dots = before >= BRAILLE && before < BRAILLE + 256 ? before - BRAILLE : 0;
            cells[y / 4][x / 2] = (char) (BRAILLE + (dots | DOTS[y % 4][x % 2]));
        }
    }

    private void point(CurveAxis.Measured point) {
        cells[row(point.samplesPerSecond())][column(point.amount())] = unicode ? '●' : 'o';
    }

    private String text() {
        StringBuilder text = new StringBuilder("samples/s\n");
        String edge = unicode ? "│" : "|";
        for (int row = 0; row < HEIGHT; row++) {
            String label = (row % LABEL_ROWS == 0 && row < HEIGHT - 2) || row == HEIGHT - 1
                    ? number(fastest * (HEIGHT - 1 - row) / (HEIGHT - 1))
                    : "";
            text.append(String.format(Locale.ROOT, "%9s ", label))
                    .append(edge)
                    .append(new String(cells[row]).stripTrailing())
                    .append('\n');
        }
        text.append(" ".repeat(10))
                .append(unicode ? "└" : "+")
                .append((unicode ? "─" : "-").repeat(WIDTH))
                .append('\n');
        StringBuilder ticks = new StringBuilder(" ".repeat(WIDTH + 8));
        int free = 0;
        for (long amount : axis.ticks()) {
            String tick = Long.toString(amount);
            int at = column(amount);
            if (at >= free) {
                ticks.replace(at, at + tick.length(), tick);
                free = at + tick.length() + 1;
            }
        }
        String measured = axis.measured().isEmpty() ? "" : unicode ? ", ● measured" : ", o measured";
        return text.append(" ".repeat(11))
                .append(ticks.toString().stripTrailing())
                .append("   ")
                .append(axis.title())
                .append('\n')
                .append(unicode ? "┊" : ":")
                .append(" useful: ")
                .append(axis.usefulText())
                .append(measured)
                .append('\n')
                .toString();
    }

    static String number(double value) {
        return String.format(Locale.ROOT, value >= 100 || value == 0 ? "%,.0f" : "%.1f", value);
    }
}

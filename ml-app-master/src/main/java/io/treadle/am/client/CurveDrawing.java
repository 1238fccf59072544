// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.wire.ProfileRecord;
import java.util.List;
import java.util.Locale;

/** Draws speed over vcores with characters: measured points, the curve that the scheduler makes of them, the useful size. */
final class CurveDrawing {
    private static final int WIDTH = 60;
    private static final int HEIGHT = 14;
    /** From one label of the axis to the next. */
    private static final int LABEL_ROWS = 4;

    private static final int BRAILLE = 0x2800;
    /** Bits of a braille cell's dots, by row and column. */
    private static final int[][] DOTS = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

    private final boolean unicode;
    private final double widest;
    private final double fastest;
    private final char[][] cells = new char[HEIGHT][WIDTH];

    private CurveDrawing(boolean unicode, double widest, double fastest) {
        this.unicode = unicode;
        this.widest = widest;
        this.fastest = fastest;
        for (char[] row : cells) {
            java.util.Arrays.fill(row, ' ');
        }
    }

    /**
     * @param points at least one, by vcores
     * @param unicode whether braille may be used; else plain ASCII
     * @return lines
     */
    static String draw(List<ProfileRecord.Point> points, SensitivityMatrix curve, boolean unicode) {
        long useful = curve.demand(0).vcores();
        long last = points.get(points.size() - 1).vcores();
        double widest = Math.max(Math.max(last, useful), 2);
        double fastest = points.stream()
                .mapToDouble(ProfileRecord.Point::samplesPerSecond)
                .max()
                .orElse(0);
        CurveDrawing drawing =
                new CurveDrawing(unicode, widest, Math.max(Math.max(fastest, curve.at((long) widest, 0)), 1e-9));
        drawing.mark(useful);
        drawing.line(curve);
        points.forEach(drawing::point);
        return drawing.text(points, useful);
    }

    private int column(double vcores) {
        return (int) Math.min(WIDTH - 1, Math.round((WIDTH - 1) * vcores / widest));
    }

    private int row(double speed) {
        return (int) Math.min(HEIGHT - 1, Math.max(0, Math.round((HEIGHT - 1) * (1 - speed / fastest))));
    }

    private void mark(long useful) {
        for (int row = 0; row < HEIGHT; row++) {
            cells[row][column(useful)] = unicode ? '┊' : ':';
        }
    }

    private void line(SensitivityMatrix curve) {
        int finer = unicode ? 2 : 1;
        for (int x = 0; x < WIDTH * finer; x++) {
            double vcores = widest * x / (WIDTH * finer - 1);
            double speed = between(curve, vcores);
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

    /** At a share of a vcore, on the straight line between whole ones; from 0 at none. */
    private static double between(SensitivityMatrix curve, double vcores) {
        long whole = (long) vcores;
        double low = whole == 0 ? 0 : curve.at(whole, 0);
        return low + (vcores - whole) * (curve.at(whole + 1, 0) - low);
    }

    private void point(ProfileRecord.Point point) {
        cells[row(point.samplesPerSecond())][column(point.vcores())] = unicode ? '●' : 'o';
    }

    private String text(List<ProfileRecord.Point> points, long useful) {
        StringBuilder text = new StringBuilder("samples/s\n");
        String axis = unicode ? "│" : "|";
        for (int row = 0; row < HEIGHT; row++) {
            String label = (row % LABEL_ROWS == 0 && row < HEIGHT - 2) || row == HEIGHT - 1
                    ? number(fastest * (HEIGHT - 1 - row) / (HEIGHT - 1))
                    : "";
            text.append(String.format(Locale.ROOT, "%9s ", label))
                    .append(axis)
                    .append(new String(cells[row]).stripTrailing())
                    .append('\n');
        }
        text.append(" ".repeat(10))
                .append(unicode ? "└" : "+")
                .append((unicode ? "─" : "-").repeat(WIDTH))
                .append('\n');
        StringBuilder ticks = new StringBuilder(" ".repeat(WIDTH + 8));
        int free = 0;
        for (ProfileRecord.Point point : points) {
            String tick = Long.toString(point.vcores());
            int at = column(point.vcores());
            if (at >= free) {
                ticks.replace(at, at + tick.length(), tick);
                free = at + tick.length() + 1;
            }
        }
        return text.append(" ".repeat(11))
                .append(ticks.toString().stripTrailing())
                .append("   vcores of a worker\n")
                .append(unicode ? "┊" : ":")
                .append(" useful: ")
                .append(useful)
                .append(useful == 1 ? " vcore" : " vcores")
                .append(unicode ? ", ● measured\n" : ", o measured\n")
                .toString();
    }

    static String number(double value) {
        return String.format(Locale.ROOT, value >= 100 || value == 0 ? "%,.0f" : "%.1f", value);
    }
}

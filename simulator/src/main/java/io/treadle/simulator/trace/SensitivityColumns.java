// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.simulator.input.Row;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Columns of our own format that say what a job makes of vcores, memory and storage bandwidth, and asks for of the last. */
final class SensitivityColumns {
    static final String STORAGE = "storage_mbps";
    static final String VCORE_SPEEDS = "vcore_speeds";
    static final String DATASET = "dataset_mib";
    static final String EPOCHS = "epochs";
    static final String WORKING = "working_mib";
    static final String CACHEABLE = "cacheable";

    private static final Pattern POINT = Pattern.compile("\\s*(\\d{1,6})\\s*:\\s*(\\d{1,6}(?:\\.\\d{1,9})?)\\s*");
    private static final int MOST_POINTS = 100;
    /** A million TiB. */
    private static final double MOST_MIB = 1L << 40;

    private static final double LEAST_MIB = 1e-3;
    private static final double MOST_EPOCHS = 1e9;
    private static final double LEAST_EPOCHS = 1e-9;
    static final long MOST_MBPS = 10_000_000;

    private SensitivityColumns() {}

    /** Empty where the row says nothing of it. */
    static Optional<Sensitivity> read(Row row) {
        Optional<SensitivityMatrix> overVcores = row.optional(VCORE_SPEEDS).map(text -> speeds(row, text));
        Optional<Dataset> dataset = dataset(row);
        return overVcores.isEmpty() && dataset.isEmpty()
                ? Optional.empty()
                : Optional.of(new Sensitivity(overVcores, dataset));
    }

    private static Optional<Dataset> dataset(Row row) {
        if (row.optional(DATASET).isEmpty()) {
            for (String column : List.of(EPOCHS, WORKING, CACHEABLE)) {
                row.optional(column).ifPresent(text -> {
                    throw row.wrong(column, text, "empty where " + DATASET + " is: nothing is read");
                });
            }
            return Optional.empty();
        }
        return Optional.of(new Dataset(
                row.number(DATASET, LEAST_MIB, MOST_MIB),
                row.optional(EPOCHS).isEmpty() ? 1 : row.number(EPOCHS, LEAST_EPOCHS, MOST_EPOCHS),
                row.optional(WORKING).isEmpty() ? 0 : row.whole(WORKING, 0, (long) MOST_MIB),
                row.optional(CACHEABLE).isEmpty() ? 1 : row.number(CACHEABLE, 0, 1)));
    }

    private static SensitivityMatrix speeds(Row row, String text) {
        String[] points = text.split("\\|", -1);
        long[] vcores = new long[points.length];
        double[] speeds = new double[points.length];
        boolean isGood = points.length <= MOST_POINTS;
        for (int i = 0; i < points.length && isGood; i++) {
            Matcher point = POINT.matcher(points[i]);
            isGood = point.matches();
            if (isGood) {
                vcores[i] = Long.parseLong(point.group(1));
                speeds[i] = Double.parseDouble(point.group(2));
                isGood = vcores[i] > (i == 0 ? 0 : vcores[i - 1]) && speeds[i] >= (i == 0 ? 0 : speeds[i - 1]);
            }
        }
        if (!isGood || speeds[speeds.length - 1] == 0) {
            throw row.wrong(
                    VCORE_SPEEDS,
                    text,
                    "at most " + MOST_POINTS + " points such as 1:0.4|3:1|6:1.5, vcores of a task and the speed with"
                            + " them, where vcores rise, no speed falls and the last is above 0");
        }
        return SensitivityMatrix.overVcores(vcores, speeds);
    }

    /**
     * What the job asks for of storage bandwidth, spread over its tasks by their GPUs and rounded up.
     *
     * @param groups its tasks, which ask for none yet
     */
    static List<TaskGroup> asking(Row row, List<TaskGroup> groups, Shapes shapes) {
        if (row.optional(STORAGE).isEmpty()) {
            return groups;
        }
        long all = row.whole(STORAGE, 0, MOST_MBPS);
        return all == 0 ? groups : shapes.withStorage(groups, all);
    }
}

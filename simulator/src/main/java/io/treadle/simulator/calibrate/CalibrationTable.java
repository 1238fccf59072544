// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.calibrate;

import io.treadle.simulator.result.SummaryTable;
import io.treadle.simulator.result.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Policies beside history, for a terminal, and below them how far to trust each. */
public final class CalibrationTable {
    private CalibrationTable() {}

    public static String of(List<Calibration> all) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "against history",
                "jobs",
                "mean wait",
                "really",
                "p50 wait",
                "really",
                "mean JCT",
                "really",
                "GPUs off by"));
        StringBuilder verdicts = new StringBuilder();
        for (Calibration one : all) {
            Gap gap = one.all();
            rows.add(List.of(
                    one.policy(),
                    String.format(Locale.ROOT, "%,d", gap.jobs()),
                    SummaryTable.time(gap.simulatedMeanWaitSeconds()),
                    SummaryTable.time(gap.realMeanWaitSeconds()),
                    SummaryTable.time(gap.simulatedMedianWaitSeconds()),
                    SummaryTable.time(gap.realMedianWaitSeconds()),
                    SummaryTable.time(gap.simulatedMeanJctSeconds()),
                    SummaryTable.time(gap.realMeanJctSeconds()),
                    String.format(
                            Locale.ROOT,
                            "%.1f of %.1f",
                            one.busyGpus().meanAbsoluteError(),
                            one.busyGpus().realMean())));
            verdicts.append(one.verdict()).append('\n');
        }
        return TextTable.of(rows) + verdicts;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.core.model.MeasuredCurve;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.rm.bridge.StatusReport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Short texts about a job. */
final class JobText {
    private JobText() {}

    /** The vcores of a task that its measured speed says it can use. */
    static String useful(StatusReport.Job job) {
        Map<Long, Double> speeds = new HashMap<>();
        job.profile()
                .map(ProfileRecord::points)
                .orElse(List.of())
                .forEach(p -> speeds.put(p.vcores(), p.samplesPerSecond()));
        return MeasuredCurve.fit(speeds)
                .map(matrix -> Long.toString(matrix.demand(0).vcores()))
                .orElse("–");
    }

    static String done(long samples, long total) {
        return total > 0 ? Math.min(100, 100 * samples / total) + " %" : samples + " samples";
    }
}

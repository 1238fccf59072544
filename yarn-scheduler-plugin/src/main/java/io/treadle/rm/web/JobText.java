// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.core.model.ProfiledMatrix;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.JobProgressRecord;
import io.treadle.rm.bridge.StatusReport;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/** Short texts about jobs. */
final class JobText {
    static final String NONE = "–";
    private static final int MOST_SIZES = 5;
    private static final double JOULES_PER_WATT_HOUR = 3600;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private JobText() {}

    /**
     * The speed that the scheduler reckons with, where storage is as fast as where it was measured; empty where nothing is
     * measured.
     */
    static Optional<SensitivityMatrix> curve(StatusReport.Job job) {
        return job.profile().flatMap(ProfiledMatrix::of);
    }

    /** The vcores of a task that its measured speed says it can use. */
    static OptionalLong useful(StatusReport.Job job) {
        Optional<SensitivityMatrix> curve = curve(job);
        return curve.isPresent() ? OptionalLong.of(curve.get().demand(0).vcores()) : OptionalLong.empty();
    }

    /** The memory of a task, MiB, that its data says it can use; empty where that is not known. */
    static OptionalLong usefulMemory(StatusReport.Job job) {
        Optional<SensitivityMatrix> curve = curve(job).filter(SensitivityMatrix::coversMemory);
        return curve.isPresent() ? OptionalLong.of(curve.get().demand(0).memoryMiB()) : OptionalLong.empty();
    }

    /** What its ApplicationMaster says that is not told by the state already; empty for no news. */
    static Optional<String> note(StatusReport.Job job) {
        return job.progress().map(JobProgressRecord::note).filter(note -> !note.isBlank() && !note.equals("training"));
    }

    static String usefulText(StatusReport.Job job) {
        OptionalLong useful = useful(job);
        return useful.isPresent() ? Long.toString(useful.getAsLong()) : NONE;
    }

    /** The vcores of a task now; several where tasks differ. */
    static String vcores(StatusReport.Job job) {
        return sizes(job, ResourceVector::vcores);
    }

    /** The same of memory, MiB. */
    static String memory(StatusReport.Job job) {
        return sizes(job, ResourceVector::memoryMiB);
    }

    private static String sizes(StatusReport.Job job, ToLongFunction<ResourceVector> amount) {
        List<String> sizes = job.tasks().stream()
                .map(t -> amount.applyAsLong(t.size()))
                .distinct()
                .sorted()
                .map(JobText::count)
                .toList();
        return sizes.isEmpty()
                ? NONE
                : sizes.size() <= MOST_SIZES
                        ? String.join(", ", sizes)
                        : sizes.get(0) + " to " + sizes.get(sizes.size() - 1);
    }

    static String gang(StatusReport.Job job) {
        return job.tasks().size() + "/" + job.members();
    }

    static String speed(StatusReport.Job job) {
        return job.tasks().isEmpty()
                ? NONE
                : job.progress().map(p -> number(p.samplesPerSecond())).orElse(NONE);
    }

    static String done(StatusReport.Job job) {
        long total = job.gang().spec().totalSamples();
        return job.progress()
                .map(p -> total > 0
                        ? Math.min(100, (long) (100.0 * p.samples() / total)) + " %"
                        : count(p.samples()) + " samples")
                .orElse(NONE);
    }

    static String number(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : "%.1f", value);
    }

    static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    static String watts(double watts) {
        return String.format(Locale.ROOT, "%,.0f W", watts);
    }

    /** In joules below one watt-hour. */
    static String energy(double joules) {
        double wattHours = joules / JOULES_PER_WATT_HOUR;
        return wattHours < 1
                ? String.format(Locale.ROOT, "%.0f J", joules)
                : wattHours < 1000
                        ? String.format(Locale.ROOT, "%.1f Wh", wattHours)
                        : String.format(Locale.ROOT, "%,.1f kWh", wattHours / 1000);
    }

    /** Wall-clock time in UTC. */
    static String time(long ms) {
        return TIME.format(Instant.ofEpochMilli(ms));
    }

    /** The two largest units: {@code 2 h 5 min}. */
    static String duration(long ms) {
        long seconds = Math.max(0, ms) / 1000;
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3600) {
            return seconds / 60 + " min" + (seconds % 60 == 0 ? "" : " " + seconds % 60 + " s");
        }
        if (seconds < 86_400) {
            return seconds / 3600 + " h" + (seconds % 3600 < 60 ? "" : " " + seconds % 3600 / 60 + " min");
        }
        return seconds / 86_400 + " d" + (seconds % 86_400 < 3600 ? "" : " " + seconds % 86_400 / 3600 + " h");
    }
}

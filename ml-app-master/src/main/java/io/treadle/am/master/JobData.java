// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.core.wire.DataReport;
import io.treadle.core.wire.ProfileDataset;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** What a job reads, put together from what each of its workers says that it reads. */
final class JobData {
    /** Bandwidths that differ by less are the same, measured again. */
    private static final double NOISE = 0.2;
    /** More than a profile record may hold. */
    private static final double MOST_BYTES = 0x1p60;

    private JobData() {}

    /** Empty until every worker has said something, and where the sum cannot be. */
    static Optional<ProfileDataset> of(List<Member> workers) {
        List<DataReport> reports =
                workers.stream().flatMap(member -> member.data.stream()).toList();
        double bytes = reports.stream().mapToDouble(DataReport::bytes).sum();
        double samples = reports.stream().mapToDouble(DataReport::samples).sum();
        if (reports.isEmpty() || reports.size() < workers.size() || bytes > MOST_BYTES || samples > MOST_BYTES) {
            return Optional.empty();
        }
        return Optional.of(new ProfileDataset(
                (long) bytes,
                (long) samples,
                mean(reports, DataReport::memoryMBps),
                mean(reports, DataReport::diskMBps),
                reports.stream().mapToLong(DataReport::workingMemoryMiB).max().orElse(0)));
    }

    /** Over those workers that know it; 0 where none does. */
    private static double mean(List<DataReport> reports, ToDoubleFunction<DataReport> value) {
        return reports.stream()
                .mapToDouble(value)
                .filter(known -> known > 0)
                .average()
                .orElse(0);
    }

    /** Whether the scheduler should be told. */
    static boolean isNews(Optional<ProfileDataset> told, Optional<ProfileDataset> now) {
        if (now.isEmpty()) {
            return false;
        }
        return told.isEmpty()
                || told.get().bytes() != now.get().bytes()
                || told.get().samples() != now.get().samples()
                || told.get().workingMemoryMiB() != now.get().workingMemoryMiB()
                || differ(told.get().memoryMBps(), now.get().memoryMBps())
                || differ(told.get().diskMBps(), now.get().diskMBps());
    }

    private static boolean differ(double one, double other) {
        return Math.abs(one - other) > NOISE * Math.max(one, other);
    }
}

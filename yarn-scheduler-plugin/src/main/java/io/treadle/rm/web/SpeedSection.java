// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.ProfileDataset;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.rm.bridge.StatusReport;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongToDoubleFunction;

/** How fast a job is with what: over vcores, and where it is known what it reads, over memory. */
final class SpeedSection {
    private SpeedSection() {}

    static void write(Markup page, StatusReport.Job job, boolean ended) {
        page.element("h3", "Speed over vcores", "id", "profile");
        List<ProfileRecord.Point> points =
                job.profile().map(ProfileRecord::points).orElse(List.of());
        if (points.isEmpty()) {
            page.element("p", "Not measured: it runs at its share of the CPU.", "class", "soft");
            return;
        }
        boolean measuring = job.profile()
                .map(p -> p.phase() == ProfileRecord.Phase.PROFILING)
                .orElse(false);
        ResourceVector now = ended
                ? ResourceVector.ZERO
                : job.tasks().stream()
                        .map(StatusReport.Task::size)
                        .reduce(ResourceVector::min)
                        .orElse(ResourceVector.ZERO);
        page.raw(overVcores(job, points, now.vcores()))
                .element(
                        "p",
                        measuring
                                ? "Being measured: its ApplicationMaster tries fewer and more vcores while it trains."
                                : "Dots are measured; the line is what the scheduler reckons with"
                                        + (job.profile()
                                                        .flatMap(ProfileRecord::dataset)
                                                        .isPresent()
                                                ? " where all its data is in memory."
                                                : "."),
                        "class",
                        "soft");
        JobText.curve(job).filter(SensitivityMatrix::coversMemory).ifPresent(curve -> memory(page, job, curve, now));
    }

    private static String overVcores(StatusReport.Job job, List<ProfileRecord.Point> points, long now) {
        Optional<LongToDoubleFunction> curve =
                JobText.curve(job).map(matrix -> vcores -> matrix.at(vcores, Long.MAX_VALUE));
        return CurveChart.svg(
                new CurveChart.Over(
                        "vcores of a task",
                        points.stream().map(ProfileRecord.Point::vcores).toList(),
                        now,
                        JobText.useful(job)),
                points.stream()
                        .map(p -> new CurveChart.Point(p.vcores(), p.samplesPerSecond(), p.vcores() + " vcores"))
                        .toList(),
                curve);
    }

    private static void memory(Markup page, StatusReport.Job job, SensitivityMatrix matrix, ResourceVector now) {
        long vcores = now.vcores() > 0 ? now.vcores() : matrix.demand(0).vcores();
        ProfileDataset data = job.profile().flatMap(ProfileRecord::dataset).orElseThrow();
        page.element("h3", "Speed over memory", "id", "memory")
                .raw(CurveChart.svg(
                        new CurveChart.Over(
                                "MiB of a task",
                                Arrays.stream(matrix.memoryMiB()).boxed().toList(),
                                now.memoryMiB(),
                                JobText.usefulMemory(job)),
                        List.of(),
                        Optional.of(memoryMiB -> matrix.at(vcores, memoryMiB))))
                .element(
                        "p",
                        "Reckoned at " + vcores + (vcores == 1 ? " vcore" : " vcores")
                                + " from what its workers read and measured: "
                                + JobText.number(data.bytes() / 1e6) + " MB an epoch, from storage at "
                                + JobText.number(data.diskMBps())
                                + " MB/s as where it runs; it is planned with storage as fast as the fastest node's.",
                        "class",
                        "soft");
    }
}

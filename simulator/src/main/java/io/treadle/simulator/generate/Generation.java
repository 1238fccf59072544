// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.files.OutFile;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongConsumer;

/** A trace like that of a cluster, what it was held against, and its file. */
public final class Generation {
    private static final String HEADER = "job_id,user,queue,submit_s,duration_s,gpus,state";

    private final Generator.Target target;
    private final GeneratedTrace trace;
    private final List<Check> checks;

    private Generation(Generator.Target target, GeneratedTrace trace) {
        this.target = target;
        this.trace = trace;
        this.checks = SelfCheck.of(target, trace);
    }

    /**
     * What to draw.
     *
     * @param like one of {@link ClusterProfiles#names()}
     * @param jobs at least 1, at most 10 million
     * @param cluster where the trace shall run: its partitions are the queues, and no job has more GPUs than the
     *     largest of them
     * @param load GPU-seconds asked over GPU-seconds there; needs a cluster
     * @param jobsPerHour where there is no load; the published rate where there is neither
     */
    public record Request(
            String like,
            int jobs,
            long seed,
            Optional<SimCluster> cluster,
            OptionalDouble load,
            OptionalDouble jobsPerHour) {}

    /** @throws InputException if the cluster has no GPU */
    public static Generation draw(Request request) {
        ClusterProfile profile = ClusterProfiles.read(request.like());
        JointTable table = JointTable.fit(profile);
        Map<String, Long> queues = profile.queues();
        if (request.cluster().isPresent()) {
            SimCluster cluster = request.cluster().get();
            long most = cluster.partitions().stream()
                    .mapToLong(partition -> partition.capacity().gpus())
                    .max()
                    .orElse(0);
            if (most == 0) {
                throw new InputException("--cluster " + cluster.name() + " has no GPU.");
            }
            table = table.upTo(most);
            queues = queues(cluster);
        }
        Generator.Rate rate = request.load().isPresent()
                ? Generator.Rate.load(
                        request.load().getAsDouble(),
                        request.cluster().orElseThrow().capacity().gpus())
                : Generator.Rate.jobsPerHour(request.jobsPerHour().orElse(profile.jobsPerHour()));
        Generator.Target target = new Generator.Target(profile, table, queues, rate, request.jobs());
        return new Generation(target, Generator.draw(target, request.seed()));
    }

    private static Map<String, Long> queues(SimCluster cluster) {
        Map<String, Long> queues = new LinkedHashMap<>();
        for (Partition partition : cluster.partitions()) {
            if (!partition.name().isEmpty() && partition.capacity().gpus() > 0) {
                queues.put(partition.name(), partition.capacity().gpus());
            }
        }
        return queues;
    }

    List<Check> checks() {
        return checks;
    }

    GeneratedTrace trace() {
        return trace;
    }

    public boolean isSound() {
        return checks.stream().noneMatch(Check::isBroken);
    }

    /** What it is, the comparison as a table and the verdict. */
    public String report() {
        ClusterProfile profile = target.profile();
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%,d jobs like those of %s: %.1f days, %.2f jobs per hour, %,.0f GPU-hours%n",
                trace.jobs(),
                profile.title(),
                trace.spanSeconds() / 86_400,
                trace.jobs() / trace.spanSeconds() * ArrivalCurve.HOUR_SECONDS,
                trace.gpuSeconds() / ArrivalCurve.HOUR_SECONDS));
        profile.notes().forEach(note -> text.append("  ").append(note).append('\n'));
        if (!target.isWhole()) {
            text.append(String.format(
                    Locale.ROOT,
                    "  %.2f %% of the published jobs have more GPUs than the cluster can give and are left out; the"
                            + " published figures below are those of the rest%n",
                    target.percentLeftOut()));
        } else if (!target.isMeanInAgreement()) {
            text.append("  the published mean of all jobs does not agree with the published means by GPU count, which"
                    + " are held\n");
        }
        long stuck = beyondTheirQueue();
        if (stuck > 0) {
            text.append(String.format(
                    Locale.ROOT,
                    "  %,d jobs have more GPUs than their queue: replay them on a larger cluster%n",
                    stuck));
        }
        text.append(CheckTable.of(checks));
        if (trace.jobs() < SelfCheck.JOBS_FOR_CURVES) {
            text.append(String.format(
                    Locale.ROOT, "%nfewer than %,d jobs: figures are shown and not judged", SelfCheck.JOBS_FOR_CURVES));
        } else if (trace.jobs() < SelfCheck.JOBS_FOR_ALL) {
            text.append(String.format(
                    Locale.ROOT,
                    "%nfewer than %,d jobs: users, arrivals and GPU time by state are shown and not judged",
                    SelfCheck.JOBS_FOR_ALL));
        }
        return text.append('\n').append(CheckTable.verdict(checks)).append('\n').toString();
    }

    private long beyondTheirQueue() {
        long jobs = 0;
        for (int job = 0; job < trace.jobs(); job++) {
            Long gpus = target.queues().get(trace.queue(job));
            jobs += gpus != null && trace.gpus()[job] > gpus ? 1 : 0;
        }
        return jobs;
    }

    /** As {@link #write(Path, OptionalDouble, long, LongConsumer)}, of jobs that read nothing. */
    public void write(Path file, LongConsumer progress) {
        write(file, OptionalDouble.empty(), 0, progress);
    }

    /**
     * @param reading percent of the jobs that read a dataset, which is drawn from {@code seed}; empty for none
     * @param progress is told how many jobs are written
     * @throws InputException if the file cannot be written
     */
    public void write(Path file, OptionalDouble reading, long seed, LongConsumer progress) {
        Optional<Datasets> datasets =
                reading.isEmpty() ? Optional.empty() : Optional.of(new Datasets(reading.getAsDouble(), seed));
        OutFile.write(file, out -> rows(out, datasets, progress));
    }

    private void rows(Writer out, Optional<Datasets> datasets, LongConsumer progress) throws IOException {
        out.write(HEADER + (datasets.isPresent() ? ",dataset_mib,epochs\n" : "\n"));
        StringBuilder row = new StringBuilder();
        for (int job = 0; job < trace.jobs(); job++) {
            row.setLength(0);
            row.append(job)
                    .append(",user-")
                    .append(trace.user(job) + 1)
                    .append(',')
                    .append(trace.queue(job))
                    .append(',')
                    .append(trace.submit()[job])
                    .append(',')
                    .append(trace.duration()[job])
                    .append(',')
                    .append(trace.gpus()[job])
                    .append(',')
                    .append(trace.stateName(job));
            if (datasets.isPresent()) {
                row.append(',').append(datasets.get().next(trace.gpus()[job], trace.duration()[job]));
            }
            row.append('\n');
            out.append(row);
            progress.accept(job + 1L);
        }
    }
}

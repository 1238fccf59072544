// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import io.treadle.simulator.files.OutFile;
import io.treadle.simulator.trace.SynergyModels;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/** A workload of Synergy's experiments, what it was held against, and its file. */
public final class SynergyGeneration {
    public static final double JOBS_PER_HOUR = 9;
    public static final String SPLIT = "20,70,10";

    private static final String HEADER = "job_id,arrival_s,gpus,model,task,total_iterations,iter_time_s\n";
    /** A draw is further off than this many standard deviations once in fifteen thousand times. */
    private static final double DEVIATIONS = 4;

    private static final double PERCENT = 100;
    /** Mean of the drawn durations, s: 16.77 h; from {@code 60·10^u}, u in 1.5…3 for 80 % and in 3…4 for the rest. */
    private static final double MEAN_SECONDS =
            60 * (.8 * (Math.pow(10, 3) - Math.pow(10, 1.5)) / 1.5 + .2 * (1e4 - 1e3)) / Math.log(10);
    /** Standard deviation over mean of the same. */
    private static final double VARIATION = 1.834;

    private static final double LONG_SECONDS = 60_000;
    private static final double LONG_PERCENT = 20;

    private final Request request;
    private final List<SynergyWorkload.Job> jobs;
    private final List<Check> checks;

    /**
     * What to draw.
     *
     * @param seed Python's, from 0
     * @param split percent of image, language and speech jobs, 100 together
     * @param gpus {@code single}, {@code synthetic} or {@code philly}
     */
    public record Request(int jobs, int seed, double jobsPerHour, List<Integer> split, String gpus) {
        public Request {
            split = List.copyOf(split);
        }
    }

    private SynergyGeneration(Request request, List<SynergyWorkload.Job> jobs) {
        this.request = request;
        this.jobs = jobs;
        this.checks = check();
    }

    /** What {@code gpus} of a request can be. */
    public static List<String> gpuMixes() {
        return java.util.Arrays.stream(SynergyWorkload.Gpus.values())
                .map(mix -> mix.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    public static SynergyGeneration draw(Request request) {
        return new SynergyGeneration(
                request,
                SynergyWorkload.draw(
                        request.jobs(),
                        request.seed(),
                        request.jobsPerHour(),
                        request.split().stream().mapToInt(percent -> percent).toArray(),
                        SynergyWorkload.Gpus.valueOf(request.gpus().toUpperCase(Locale.ROOT))));
    }

    private List<Check> check() {
        List<Check> all = new ArrayList<>();
        double root = Math.sqrt(jobs.size());
        // Gaps are rounded up to whole seconds, which adds half a second to their mean.
        all.add(Check.relative(
                "arrivals",
                "mean gap, s",
                ArrivalCurve.HOUR_SECONDS / request.jobsPerHour() + 0.5,
                (double) jobs.get(jobs.size() - 1).arrivalSeconds() / jobs.size(),
                DEVIATIONS * PERCENT / root));
        all.add(Check.relative(
                "durations at the fair share",
                "mean, s",
                MEAN_SECONDS,
                jobs.stream()
                        .mapToDouble(SynergyWorkload.Job::drawnSeconds)
                        .average()
                        .orElse(0),
                DEVIATIONS * VARIATION * PERCENT / root));
        all.add(share(
                "durations at the fair share",
                "of 1,000 minutes and more, % of jobs",
                LONG_PERCENT,
                jobs.stream().filter(job -> job.drawnSeconds() >= LONG_SECONDS).count()));
        for (int task = 0; task < SynergyWorkload.TASKS.size(); task++) {
            int of = task;
            all.add(Check.points(
                    "jobs by task, %",
                    SynergyWorkload.TASKS.get(task),
                    PERCENT
                            * request.split().get(task)
                            / request.split().stream().mapToInt(part -> part).sum(),
                    PERCENT * jobs.stream().filter(job -> job.task() == of).count() / jobs.size(),
                    // One job more or less.
                    PERCENT / jobs.size() + 1e-9));
        }
        Map<Integer, Long> counts = new TreeMap<>();
        jobs.forEach(job -> counts.merge(job.gpus(), 1L, Long::sum));
        SynergyWorkload.Gpus.valueOf(request.gpus().toUpperCase(Locale.ROOT))
                .percent()
                .forEach((gpus, percent) ->
                        all.add(share("jobs by GPUs, %", "" + gpus, percent, counts.getOrDefault(gpus, 0L))));
        return List.copyOf(all);
    }

    private Check share(String group, String label, double percent, long count) {
        double deviation = Math.sqrt(percent * (PERCENT - percent) / jobs.size());
        return Check.points(group, label, percent, PERCENT * count / jobs.size(), DEVIATIONS * deviation + 1e-9);
    }

    List<SynergyWorkload.Job> jobs() {
        return jobs;
    }

    public boolean isSound() {
        return checks.stream().noneMatch(Check::isBroken);
    }

    /** What it is, the comparison as a table and the verdict. */
    public String report() {
        return String.format(
                        Locale.ROOT,
                        "%,d jobs of Synergy's generator: %.2f jobs per hour, split %s, GPUs %s%n"
                                + "  the numbers of its artifact for the same seed; bounds are four standard deviations%n",
                        jobs.size(),
                        request.jobsPerHour(),
                        request.split(),
                        request.gpus())
                + CheckTable.of(checks)
                + '\n'
                + CheckTable.verdict(checks)
                + '\n';
    }

    /**
     * @param progress is told how many jobs are written
     * @throws io.treadle.simulator.input.InputException if the file cannot be written
     */
    public void write(Path file, LongConsumer progress) {
        OutFile.write(file, out -> rows(out, progress));
    }

    private void rows(Writer out, LongConsumer progress) throws IOException {
        out.write(HEADER);
        long written = 0;
        for (SynergyWorkload.Job job : jobs) {
            double iteration = SynergyModels.secondsPerIteration(job.model());
            out.write(job.id() + "," + job.arrivalSeconds() + "," + job.gpus() + "," + job.model() + ","
                    + SynergyWorkload.TASKS.get(job.task()) + "," + (long) (job.drawnSeconds() / iteration) + ","
                    + iteration + "\n");
            progress.accept(++written);
        }
    }
}

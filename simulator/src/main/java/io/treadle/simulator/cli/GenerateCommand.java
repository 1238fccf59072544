// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.generate.ClusterProfiles;
import io.treadle.simulator.generate.Generation;
import io.treadle.simulator.generate.ServerJobs;
import io.treadle.simulator.generate.SynergyGeneration;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.trace.ServersFile;
import io.treadle.simulator.trace.TraceJob;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code treadle generate}. */
@Command(
        name = "generate",
        description = {
            "Draws a trace from the published distributions of a cluster, checks it against them and prints both.",
            "From 1,000 jobs on it holds the curves of durations and GPU counts (2 points), mean durations by GPU"
                    + " count (5 %%) and how jobs end (1 point); from 20,000 on also the users' parts of the GPU time (3"
                    + " points), arrivals by hour (1 point) and weekday (2 points), their bursts (20 %%) and GPU time by"
                    + " end (3 points)."
        },
        footer = "Exit code 0; 1 where a figure is out of its bound, and nothing is written; 2 for wrong input.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true)
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
final class GenerateCommand implements Callable<Integer> {
    private static final String SYNERGY = "synergy";
    private static final String SMD = "smd";
    /** Each is held in memory with its model's layers. */
    private static final int MOST_SMD_JOBS = 100_000;

    private static final double SMD_JOBS_PER_HOUR = 10;
    /** As many as its experiments draw. */
    private static final int SYNERGY_JOBS = 24_000;

    private static final int MOST_JOBS = 10_000_000;
    private static final double MOST_RATE = 1e6;
    private static final double LEAST_RATE = 1e-3;
    private static final double MOST_LOAD = 100;
    private static final double LEAST_LOAD = 1e-3;
    private static final double MOST_PERCENT = 100;
    private static final int NOT_SOUND = 1;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--like",
            required = true,
            paramLabel = "NAME",
            description =
                    "philly, helios, venus, earth, saturn, uranus, pai, seren, kalos; or synergy: the generator of"
                            + " its experiments, number for number; or smd: jobs with workers and parameter servers,"
                            + " whose ends are worth less the later they are (docs/spec/servers-trace.md)")
    private String like;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "how many, at most 10,000,000, smd 100,000 (synergy: 24,000 where it is left out; else"
                    + " required)")
    private @Nullable Integer asked;

    private int jobs;

    @Option(
            names = "--seed",
            defaultValue = "42",
            paramLabel = "N",
            description = "same seed, same bytes (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--cluster",
            paramLabel = "FILE|NAME",
            description =
                    "where the trace shall run: its partitions become the queues, and no job has more GPUs than the"
                            + " largest")
    private @Nullable String cluster;

    @Option(
            names = "--load",
            paramLabel = "X",
            description =
                    "GPU-seconds asked over GPU-seconds that --cluster has, such as 0.9; synergy, as its experiments"
                            + " call it: jobs per hour, such as 9")
    private @Nullable Double load;

    @Option(
            names = "--jobs-per-hour",
            paramLabel = "X",
            description = "instead of --load (default: as published; synergy: 9; smd: 10)")
    private @Nullable Double jobsPerHour;

    @Option(
            names = "--split",
            paramLabel = "I,L,S",
            description = "synergy: percent of image, language and speech jobs (default: 20,70,10)")
    private @Nullable String split;

    @Option(
            names = "--gpus",
            paramLabel = "NAME",
            description = "synergy: single, synthetic (1 to 8) or philly (1 to 16) (default: single)")
    private @Nullable String gpus;

    @Option(
            names = "--datasets",
            paramLabel = "PERCENT",
            description =
                    "so many of the jobs read a dataset, for what storage does: of 1.3 to 555 GB, at 8 to 500 MB/s"
                            + " for each GPU, which nobody has published (default: none; not for synergy)")
    private @Nullable Double datasets;

    @Option(
            names = "--out",
            required = true,
            paramLabel = "FILE",
            description = "a file such as trace.csv or trace.csv.gz; of smd, trace.jsonl or trace.jsonl.gz")
    private Path out;

    @Override
    public Integer call() {
        if (asked == null && !like.equals(SYNERGY)) {
            throw new InputException(
                    "Missing required option: '--jobs=N', how many to draw, from 1 to " + MOST_JOBS + ".");
        }
        jobs = asked == null ? SYNERGY_JOBS : asked;
        if (jobs < 1 || jobs > MOST_JOBS) {
            throw new InputException("--jobs is '" + jobs + "', must be from 1 to " + MOST_JOBS + ".");
        }
        within("--jobs-per-hour", jobsPerHour, LEAST_RATE, MOST_RATE);
        within("--load", load, LEAST_LOAD, MOST_LOAD);
        within("--datasets", datasets, 0, MOST_PERCENT);
        if (like.equals(SYNERGY)) {
            return synergy();
        }
        if (like.equals(SMD)) {
            return smd();
        }
        if (!ClusterProfiles.names().contains(like)) {
            throw new InputException("--like is '" + like + "', must be one of "
                    + String.join(", ", ClusterProfiles.names()) + ", " + SYNERGY + ", " + SMD + ".");
        }
        refuse("--split", split, "only --like synergy knows it");
        refuse("--gpus", gpus, "only --like synergy knows it");
        if (load != null && cluster == null) {
            throw new InputException("--load " + load + " needs --cluster: the GPUs that it loads.");
        }
        if (load != null && jobsPerHour != null) {
            throw new InputException("--load " + load + " and --jobs-per-hour " + jobsPerHour
                    + " both say how close together jobs come: give one of them.");
        }
        SimCluster nodes = cluster == null ? null : ClusterReader.read(cluster);
        say("drawing " + like);
        Generation generation = Generation.draw(new Generation.Request(
                like, jobs, seed, Optional.ofNullable(nodes), optional(load), optional(jobsPerHour)));
        return finish(
                generation.report(),
                generation.isSound(),
                progress -> generation.write(out, optional(datasets), seed, progress));
    }

    private int synergy() {
        refuse("--datasets", datasets, "--like synergy knows its jobs by their models");
        refuse("--cluster", cluster, "--like synergy has no use for it");
        if (load != null) {
            refuse("--jobs-per-hour", jobsPerHour, "--load " + load + " says it for --like synergy");
        }
        String mix = gpus == null ? SynergyGeneration.gpuMixes().get(0) : gpus;
        if (!SynergyGeneration.gpuMixes().contains(mix)) {
            throw new InputException(
                    "--gpus is '" + mix + "', must be one of " + String.join(", ", SynergyGeneration.gpuMixes()) + ".");
        }
        if (seed < 0 || seed > Integer.MAX_VALUE) {
            throw new InputException(
                    "--seed is '" + seed + "', must be from 0 to " + Integer.MAX_VALUE + " for --like synergy.");
        }
        List<Integer> percentages = percentages(split == null ? SynergyGeneration.SPLIT : split);
        say("drawing " + like);
        SynergyGeneration generation =
                SynergyGeneration.draw(new SynergyGeneration.Request(jobs, (int) seed, rate(), percentages, mix));
        return finish(generation.report(), generation.isSound(), progress -> generation.write(out, progress));
    }

    private int smd() {
        refuse("--load", load, "--jobs-per-hour says it for --like smd");
        refuse("--cluster", cluster, "--like smd has no use for it");
        refuse("--datasets", datasets, "--like smd knows its jobs by their models");
        refuse("--split", split, "only --like synergy knows it");
        refuse("--gpus", gpus, "only --like synergy knows it");
        if (jobs > MOST_SMD_JOBS) {
            throw new InputException(
                    "--jobs is '" + jobs + "', must be from 1 to " + MOST_SMD_JOBS + " for --like smd.");
        }
        say("drawing " + like);
        double perHour = jobsPerHour == null ? SMD_JOBS_PER_HOUR : jobsPerHour;
        List<TraceJob> drawn = ServerJobs.draw(seed, jobs, perHour);
        String report = String.format(
                Locale.ROOT,
                "%,d jobs with workers and parameter servers: %.2f jobs per hour%n",
                drawn.size(),
                perHour);
        return finish(report, true, progress -> ServersFile.write(out, drawn, progress));
    }

    /** Jobs per hour of {@code --like synergy}. */
    private double rate() {
        if (load != null) {
            return load;
        }
        return jobsPerHour == null ? SynergyGeneration.JOBS_PER_HOUR : jobsPerHour;
    }

    private interface Writing {
        void to(LongConsumer progress);
    }

    private int finish(String report, boolean isSound, Writing writing) {
        PrintWriter text = spec.commandLine().getOut();
        text.print(report);
        if (isSound) {
            ProgressLine progress = new ProgressLine(
                    spec.commandLine().getErr(), Boolean.getBoolean("treadle.terminal"), "writing", jobs);
            writing.to(progress);
            progress.done();
        }
        text.println("seed " + seed + (isSound ? ", written to " + out : ", not written to " + out));
        text.flush();
        return isSound ? 0 : NOT_SOUND;
    }

    private void say(String what) {
        spec.commandLine().getErr().printf(Locale.ROOT, "%s: %,d jobs, seed %d%n", what, jobs, seed);
        spec.commandLine().getErr().flush();
    }

    private static OptionalDouble optional(@Nullable Double value) {
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    private static void within(String option, @Nullable Double value, double least, double most) {
        if (value != null && !(value >= least && value <= most)) {
            throw new InputException(option + " is '" + value + "', must be from " + least + " to " + most + ".");
        }
    }

    private static void refuse(String option, @Nullable Object value, String why) {
        if (value != null) {
            throw new InputException(option + " is '" + value + "', must be left out: " + why + ".");
        }
    }

    private static List<Integer> percentages(String text) {
        List<Integer> parts = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            if (!part.trim().matches("[0-9]{1,3}")) {
                throw wrongSplit(text);
            }
            parts.add(Integer.valueOf(part.trim()));
        }
        // The artifact's own (33,33,33) leaves one percent to nobody.
        int sum = parts.stream().mapToInt(part -> part).sum();
        if (parts.size() != 3 || sum < 99 || sum > 100) {
            throw wrongSplit(text);
        }
        return parts;
    }

    private static InputException wrongSplit(String text) {
        return new InputException("--split is '" + text
                + "', must be three whole percentages of image, language and speech jobs that add up to 100, such as "
                + SynergyGeneration.SPLIT + ".");
    }
}

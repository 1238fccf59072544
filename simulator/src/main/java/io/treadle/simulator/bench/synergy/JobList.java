// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.simulator.engine.MeasuredJobs;
import io.treadle.simulator.generate.SynergyGeneration;
import io.treadle.simulator.sweep.SweepPoint;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Jobs that the generator of Synergy's artifact draws.
 *
 * @param jobsPerHour that come on average
 * @param split percent of image, language and speech jobs
 * @param gpus {@code single}, {@code synthetic} or {@code philly}
 * @param seed Python's
 * @param given a file that holds them and was not drawn by us; its name stands in {@code gpus}
 */
record JobList(double jobsPerHour, List<Integer> split, String gpus, int seed, Optional<Path> given) {
    static final String SINGLE = "single";
    static final String SYNTHETIC = "synthetic";
    static final String PHILLY = "philly";

    JobList {
        split = List.copyOf(split);
    }

    JobList(double jobsPerHour, List<Integer> split, String gpus, int seed) {
        this(jobsPerHour, split, gpus, seed, Optional.empty());
    }

    /** One that somebody else has drawn. */
    static JobList given(String name, Path file) {
        return new JobList(0, List.of(), name, 0, Optional.of(file));
    }

    JobList withSeed(int other) {
        return new JobList(jobsPerHour, split, gpus, other);
    }

    /** A name for files. */
    String name() {
        if (given.isPresent()) {
            return gpus;
        }
        return SweepPoint.text(jobsPerHour) + "-per-hour," + splitBy("-") + "," + gpus + ",seed-" + seed;
    }

    /** For people, without the seed. */
    String words() {
        String mix = SweepPoint.text(jobsPerHour) + "/h (" + splitBy(",") + ")";
        return switch (gpus) {
            case SYNTHETIC -> mix + " of 1 to 8 GPUs";
            case PHILLY -> mix + " of Philly's 1 to 16 GPUs";
            default -> mix;
        };
    }

    String splitBy(String separator) {
        return split.stream().map(String::valueOf).collect(Collectors.joining(separator));
    }

    Path file(Path directory) {
        return given.orElse(directory.resolve(name() + ".csv.gz"));
    }

    /**
     * Which of them count.
     *
     * @param drawn those of a list that was drawn
     */
    MeasuredJobs measured(MeasuredJobs drawn) {
        return given.isPresent() ? MeasuredJobs.ALL : drawn;
    }

    /**
     * The same as {@code treadle generate} would draw.
     *
     * @throws io.treadle.simulator.input.InputException if the file cannot be written
     */
    void draw(Path directory, int jobs) {
        if (given.isPresent()) {
            return;
        }
        SynergyGeneration.draw(new SynergyGeneration.Request(jobs, seed, jobsPerHour, split, gpus))
                .write(file(directory), written -> {});
    }
}

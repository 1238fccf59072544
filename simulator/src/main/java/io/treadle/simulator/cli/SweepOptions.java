// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of a sweep that a simulation has not, or has with one value. They are read by their names, as a file's are. */
@SuppressWarnings("UnusedVariable")
final class SweepOptions {
    @Option(names = "--out", paramLabel = "DIR", description = "where the results go")
    private @Nullable Path out;

    @Option(
            names = "--policy",
            split = ",",
            paramLabel = "P",
            description = "policies to compare, such as fifo,sjf,srtf+synergy-tune")
    private @Nullable List<String> policies;

    @Option(
            names = "--load-factor",
            split = ",",
            paramLabel = "X",
            description = "loads such as 0.6,0.8,1.0: submissions are moved together or apart so that demand is X times"
                    + " the GPU time there is")
    private @Nullable List<String> loads;

    @Option(
            names = "--nodes",
            split = ",",
            paramLabel = "N",
            description = "sizes such as 8,16,32: as many nodes of the cluster's kind instead of its own")
    private @Nullable List<String> nodes;

    @Option(
            names = "--seed",
            split = ",",
            paramLabel = "N",
            description =
                    "seeds such as 1,2,3: with --like each is another list of jobs, in openb what is random there")
    private @Nullable List<String> seeds;

    @Option(
            names = "--like",
            paramLabel = "NAME",
            description = "instead of --trace: for each seed, --jobs N are drawn as 'treadle generate' does")
    private @Nullable String like;

    @Option(
            names = "--jobs",
            split = ",",
            paramLabel = "N|FROM:TO",
            description =
                    "N: how many to draw with --like; FROM:TO: measure only the jobs with these ids; or both, such"
                            + " as 20000,4000:5000")
    private @Nullable List<String> jobs;

    @Option(
            names = "--report",
            defaultValue = "off",
            paramLabel = "on|off",
            description = "whether each point gets its own report, event logs and traces (default: ${DEFAULT-VALUE})")
    private @Nullable String report;
}

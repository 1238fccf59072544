// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.generate.ClusterProfiles;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.sweep.DrawnLists;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The jobs of a sweep: a trace, or lists that are drawn, {@code --like NAME --jobs N}. */
final class SweepJobs {
    static final String OPTION = "jobs";
    private static final int MOST_JOBS = 10_000_000;

    private SweepJobs() {}

    /** The range of {@code --jobs}, which says what is measured, as in a simulation. */
    static Optional<Given> measured(SweepArguments arguments) {
        return only(arguments.all(OPTION).stream()
                .filter(value -> !isCount(value) || arguments.one("like").isEmpty())
                .toList());
    }

    /**
     * What is to be drawn, if something is.
     *
     * @param out the sweep's directory
     * @throws InputException if that cannot be
     */
    static Optional<DrawnLists> drawn(SweepArguments arguments, Path out) {
        if (arguments.one("like").isEmpty()) {
            if (arguments.one("trace").isEmpty()) {
                throw new InputException("the jobs are missing: give --trace FILE, or --like NAME --jobs N.");
            }
            return Optional.empty();
        }
        Given like = arguments.one("like").orElseThrow();
        arguments.one("trace").ifPresent(trace -> {
            throw like.located(new InputException("--like is '" + like.text() + "' and --trace is '" + trace.text()
                    + "': jobs can come from one of them."));
        });
        if (!ClusterProfiles.names().contains(like.text())) {
            throw like.located(new InputException("--like is '" + like.text() + "', must be one of "
                    + String.join(", ", ClusterProfiles.names()) + "."));
        }
        Given jobs = only(arguments.all(OPTION).stream()
                        .filter(SweepJobs::isCount)
                        .toList())
                .orElseThrow(() -> new InputException(
                        "--like " + like.text() + " needs --jobs N: how many to draw, such as --jobs 20000."));
        int count = jobs.text().length() > 8 ? MOST_JOBS + 1 : Integer.parseInt(jobs.text());
        if (count < 1 || count > MOST_JOBS) {
            throw jobs.located(
                    new InputException("--jobs is '" + jobs.text() + "', must be from 1 to " + MOST_JOBS + "."));
        }
        return Optional.of(new DrawnLists(out.resolve("traces"), like.text(), count));
    }

    private static boolean isCount(Given value) {
        return value.text().matches("[0-9]+");
    }

    private static Optional<Given> only(List<Given> values) {
        if (values.size() > 1) {
            throw values.get(1)
                    .located(new InputException("--jobs has '" + values.get(0).text() + "' and '"
                            + values.get(1).text() + "', must be one number of jobs to draw, one range to measure,"
                            + " or both, such as 20000,4000:5000."));
        }
        return values.stream().findFirst();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.trace.EndState;
import io.treadle.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A way to sort jobs into groups.
 *
 * @param name its name in {@code groups-<policy>.csv}
 * @param fixed the groups in the order in which people read them; empty where the jobs make them
 * @param of the group of a job; empty for none
 */
public record Grouping(String name, List<String> fixed, Function<TraceJob, Optional<String>> of) {
    private static final List<String> SIZES =
            List.of("0", "below 1", "1", "2", "3–4", "5–8", "9–16", "17–32", "33–64", "above 64");
    private static final long[] MOST_GPUS = {1, 2, 4, 8, 16, 32, 64};
    private static final List<String> LENGTHS =
            List.of("up to 1 min", "1–10 min", "10 min – 1 h", "1–6 h", "6–24 h", "1–7 d", "above 7 d", "without end");
    private static final double[] MOST_SECONDS = {60, 600, 3600, 21_600, 86_400, 604_800};

    static final Grouping ALL = new Grouping("all", List.of("all"), job -> Optional.of("all"));
    public static final Grouping QUEUE = new Grouping("queue", List.of(), job -> known(job.queue()));
    static final Grouping USER = new Grouping("user", List.of(), job -> known(user(job)));
    public static final Grouping SIZE = new Grouping("gpus", SIZES, job -> Optional.of(size(job)));
    static final Grouping LENGTH = new Grouping("runTime", LENGTHS, job -> Optional.of(length(job)));

    static final Grouping STATE = new Grouping(
            "state",
            List.of(EndState.values()).stream().map(EndState::text).toList(),
            job -> job.attributes().state().map(EndState::text));

    /** Those that mean something for these jobs. */
    static List<Grouping> of(List<TraceJob> jobs) {
        List<Grouping> groupings = new ArrayList<>(List.of(ALL, QUEUE, USER, SIZE, LENGTH));
        SortedSet<Integer> priorities =
                jobs.stream().map(Grouping::priority).collect(Collectors.toCollection(TreeSet::new));
        if (priorities.size() > 1) {
            groupings.add(new Grouping(
                    "priority",
                    priorities.stream().map(String::valueOf).toList(),
                    job -> Optional.of(String.valueOf(priority(job)))));
        }
        groupings.add(STATE);
        return groupings;
    }

    private static int priority(TraceJob job) {
        return job.attributes().priority();
    }

    /** Whose job it is; empty where the trace does not say. */
    static String user(TraceJob job) {
        return job.user();
    }

    private static Optional<String> known(String name) {
        return name.isEmpty() ? Optional.empty() : Optional.of(name);
    }

    private static String size(TraceJob job) {
        if (job.gpus() == 0) {
            return SIZES.get(job.groups().stream().anyMatch(g -> g.ask().gpuMemoryMiB() > 0) ? 1 : 0);
        }
        int bucket = 0;
        while (bucket < MOST_GPUS.length && job.gpus() > MOST_GPUS[bucket]) {
            bucket++;
        }
        return SIZES.get(bucket + 2);
    }

    private static String length(TraceJob job) {
        if (!job.work().ends()) {
            return LENGTHS.get(LENGTHS.size() - 1);
        }
        int bucket = 0;
        while (bucket < MOST_SECONDS.length && job.work().seconds() > MOST_SECONDS[bucket]) {
            bucket++;
        }
        return LENGTHS.get(bucket);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import java.nio.file.Path;
import java.util.List;

/**
 * A round of decisions that is to be timed.
 *
 * @param name for people
 * @param allocation under fifo
 * @param servers where
 * @param gpus the generator's mix of GPU counts
 * @param times by how much each count is multiplied
 * @param jobs how many there are
 * @param seconds how long it is repeated before it counts, and then again
 * @param theirsMs what a round of this size is known to take others, ms; 0 where nobody knows
 */
record RoundCase(
        String name,
        String allocation,
        Servers servers,
        String gpus,
        int times,
        int jobs,
        double seconds,
        double theirsMs) {
    private static final int SEED = 42;
    private static final int SERVER_GPUS = 8;
    private static final int SERVER_CPUS = 24;
    private static final int SERVER_MIB = 512_000;
    /** Of Synergy's rule at 2,048 GPUs, in plain Python. */
    private static final double TUNE_MS = 70;
    /** Of the two programs of its OPT at 128 GPUs, by HiGHS. */
    private static final double OPT_MS = 55;

    /** So few rounds of the largest go into a second that the JVM compiles them late. */
    private static final double LONG = 10;

    /** The jobs of the last ask for a little less than all GPUs. */
    static final List<RoundCase> THOROUGH = of(10);

    static final List<RoundCase> USUAL = of(2);

    private static List<RoundCase> of(double seconds) {
        return List.of(
                of("128 GPUs, 160 jobs", Allocations.OPT, 16, JobList.SINGLE, 1, 160, seconds, OPT_MS),
                of("2,048 GPUs, 2,500 jobs", Allocations.OPT, 256, JobList.SINGLE, 1, 2500, seconds, 0),
                of("2,048 GPUs, 2,500 jobs", Allocations.BALANCED, 256, JobList.SINGLE, 1, 2500, seconds, TUNE_MS),
                of("80,000 GPUs, 10,000 jobs", Allocations.BALANCED, 10_000, JobList.PHILLY, 3, 10_000, LONG, 0));
    }

    static final List<RoundCase> QUICK = List.of(
            new RoundCase("32 GPUs, 40 jobs", Allocations.BALANCED, servers(4), JobList.SINGLE, 1, 40, .05, TUNE_MS));

    private static RoundCase of(
            String name,
            String allocation,
            int servers,
            String gpus,
            int times,
            int jobs,
            double seconds,
            double theirsMs) {
        return new RoundCase(name, allocation, servers(servers), gpus, times, jobs, seconds, theirsMs);
    }

    private static Servers servers(int count) {
        return new Servers(count, SERVER_GPUS, SERVER_CPUS, SERVER_MIB);
    }

    /** Draws what it needs into a directory. */
    RoundRequest request(Path directory) {
        JobList list = new JobList(jobs, List.of(20, 70, 10), gpus, SEED);
        list.draw(directory, jobs);
        servers.write(directory);
        return new RoundRequest(
                list.file(directory).toString(), servers.cluster(directory), "fifo+" + allocation, times, seconds);
    }
}

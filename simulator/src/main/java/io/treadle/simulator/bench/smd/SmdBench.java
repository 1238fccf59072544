// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.smd;

import io.treadle.simulator.bench.Compared;
import io.treadle.simulator.bench.Machine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.LongStream;

/** What SMD's rules, ours and others make of the same jobs with workers and parameter servers. */
public final class SmdBench {
    private final Path out;
    private final long seed;
    private final int seeds;
    private final SmdSizes sizes;

    /**
     * @param out where the results go
     * @param seeds how many, from {@code seed} on
     */
    public SmdBench(Path out, long seed, int seeds, SmdSizes sizes) {
        this.out = out;
        this.seed = seed;
        this.seeds = seeds;
        this.sizes = sizes;
    }

    /** How many simulations it takes. */
    public int runs() {
        return sizes.loads().size() * Online.POLICIES.size() * seeds;
    }

    /**
     * @param say is told what comes next
     * @param done is told how many simulations are done
     * @return tables for a terminal
     */
    public String run(int threads, Consumer<String> say, IntConsumer done) {
        List<Long> all = LongStream.range(seed, seed + seeds).boxed().toList();
        say.accept("timing rounds");
        List<RoundCost> rounds = new ArrayList<>();
        for (int jobs : sizes.rounds()) {
            for (String policy : List.of("smd", "smd-menu")) {
                rounds.add(RoundCost.measure(policy, seed, jobs));
            }
        }
        say.accept(String.format(Locale.ROOT, "%,d simulations", runs()));
        int[] ended = {0};
        List<Online> online = Online.run(sizes, all, threads, () -> done.accept(++ended[0]));
        say.accept("sizes, knapsacks and jobs that come at once");
        SmdResult result = new SmdResult(
                Machine.here(),
                seed,
                seeds,
                sizes.jobs(),
                online,
                sizes.overloads().stream().map(jobs -> Overload.of(jobs, all)).toList(),
                Sizes.of(seed, sizes.sized()),
                Knapsacks.of(seed, sizes.knapsacks()),
                rounds);
        SmdFiles.write(out, result, compared(result));
        return SmdText.of(result);
    }

    /** Each of ours beside Optimus over all loads, and load by load. */
    private static List<Compared> compared(SmdResult result) {
        List<Compared> rows = new ArrayList<>();
        for (String policy : Online.OURS) {
            double times = Math.exp(result.logWorth(policy).mean());
            rows.add(new Compared(policy, times, 1, times, "total worth of jobs' ends, in that of Optimus"));
        }
        for (Online load : result.online()) {
            for (String policy : Online.OURS) {
                String at = String.format(Locale.ROOT, "%s at %.0f an hour", policy, load.perHour());
                rows.add(new Compared(
                        at,
                        load.mean(policy, OnlineRun::worth),
                        load.mean(Online.BASELINE, OnlineRun::worth),
                        Math.exp(load.logRatio(policy, OnlineRun::worth).mean()),
                        "total worth of jobs' ends"));
                rows.add(new Compared(
                        at + ", completion time",
                        load.mean(policy, OnlineRun::jctSeconds),
                        load.mean(Online.BASELINE, OnlineRun::jctSeconds),
                        Math.exp(-load.logRatio(policy, OnlineRun::jctSeconds).mean()),
                        "mean seconds from submission to end"));
            }
        }
        return rows;
    }
}

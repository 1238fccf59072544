// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.powerflow;

import io.treadle.simulator.bench.Compared;
import io.treadle.simulator.bench.Machine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.LongStream;

/** What PowerFlow's rule, ours and others make of the same energy. */
public final class PowerBench {
    public static final int SEED = 1;
    /** Of each measurement of a profile, as a standard deviation. */
    private static final double NOISE = 0.1;

    private final Path out;
    private final long seed;
    private final int seeds;
    private final PowerSizes sizes;

    /**
     * @param out where the results go
     * @param seeds how many, from {@code seed} on
     */
    public PowerBench(Path out, long seed, int seeds, PowerSizes sizes) {
        this.out = out;
        this.seed = seed;
        this.seeds = seeds;
        this.sizes = sizes;
    }

    /** Is told how much there is to do, and how much of it is done. */
    public interface Watcher {
        void begins(int runs);

        void done(int runs);
    }

    /**
     * @param say is told what comes next
     * @return tables for a terminal
     */
    public String run(int threads, Watcher watcher, Consumer<String> say) {
        say.accept("timing plans of " + sizes.planJobs() + " jobs");
        PlanCost cost = PlanCost.measure(seed, sizes.planJobs(), sizes.planNodes());
        List<PowerRuns.Task> tasks = new ArrayList<>();
        List<Rival> rivals = new ArrayList<>(List.of(Rival.ours(), Rival.ours(NOISE), Rival.oursWithNodesOff()));
        rivals.addAll(Rival.others());
        for (double load : sizes.loads()) {
            for (Rival rival : rivals) {
                LongStream.range(seed, seed + seeds).forEach(s -> tasks.add(new PowerRuns.Task(rival, load, s)));
            }
        }
        watcher.begins(
                tasks.stream().mapToInt(task -> task.rival().points().size()).sum());
        IntConsumer progress = watcher::done;
        List<Frontier> frontiers = PowerRuns.run(tasks, sizes.jobs(), threads, progress);
        List<PowerResult.Load> loads = new ArrayList<>();
        for (int i = 0; i < sizes.loads().size(); i++) {
            List<List<Frontier>> byRival = new ArrayList<>();
            for (int j = 0; j < rivals.size(); j++) {
                int from = (i * rivals.size() + j) * seeds;
                byRival.add(List.copyOf(frontiers.subList(from, from + seeds)));
            }
            loads.add(new PowerResult.Load(sizes.loads().get(i), rivals, byRival));
        }
        PowerResult result = new PowerResult(Machine.here(), seed, seeds, sizes.jobs(), loads, cost);
        PowerFiles.write(out, result, compared(result));
        return PowerText.of(result);
    }

    /** The headline's rivals under their own names, the other loads' beside them. */
    private static List<Compared> compared(PowerResult result) {
        List<Compared> rows = new ArrayList<>();
        for (PowerResult.Load load : result.loads()) {
            boolean isHeadline = rows.isEmpty();
            for (int i = PowerResult.Load.FIRST_OTHER; i < load.rivals().size(); i++) {
                String name = load.rivals().get(i).name() + (isHeadline ? "" : " at " + load.perSecond() + "/s");
                load.against(i)
                        .times()
                        .ifPresent(times -> rows.add(new Compared(
                                name, 1, times, times, "mean completion time at equal energy, in that of powerflow")));
            }
        }
        return rows;
    }
}

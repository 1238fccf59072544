// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.powerflow;

import io.treadle.simulator.bench.Compared;
import io.treadle.simulator.bench.Machine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** What PowerFlow's rule, ours and others make of the same energy. */
public final class PowerBench {
    /** Of each measurement of a profile, as a standard deviation. */
    private static final double NOISE = 0.1;

    private final Path out;
    private final long seed;
    private final int seeds;
    private final PowerSizes sizes;
    private final Optional<Path> philly;

    /**
     * @param out where the results go
     * @param seeds how many, from {@code seed} on
     * @param philly ElasticFlow's Philly list
     */
    public PowerBench(Path out, long seed, int seeds, PowerSizes sizes, Optional<Path> philly) {
        this.out = out;
        this.seed = seed;
        this.seeds = seeds;
        this.sizes = sizes;
        this.philly = philly;
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
        List<PowerWork> works = works();
        if (philly.isEmpty()) {
            say.accept("ElasticFlow's Philly list is left out: --philly FILE reads its philly_103959.csv");
        }
        say.accept("timing plans of " + sizes.planJobs() + " jobs");
        PlanCost cost = PlanCost.measure(seed, sizes.planJobs(), sizes.planNodes());
        List<PowerRuns.Task> tasks = new ArrayList<>();
        for (PowerWork work : works) {
            for (Rival rival : rivals(work)) {
                work.seeds().forEach(s -> tasks.add(new PowerRuns.Task(rival, work, s)));
            }
        }
        watcher.begins(
                tasks.stream().mapToInt(task -> task.rival().points().size()).sum());
        Iterator<Frontier> frontiers =
                PowerRuns.run(tasks, threads, watcher::done).iterator();
        List<PowerResult.Load> loads = new ArrayList<>();
        for (PowerWork work : works) {
            List<Rival> rivals = rivals(work);
            List<List<Frontier>> byRival = new ArrayList<>();
            for (int i = 0; i < rivals.size(); i++) {
                byRival.add(work.seeds().stream().map(s -> frontiers.next()).toList());
            }
            loads.add(new PowerResult.Load(work, rivals, byRival));
        }
        PowerResult result = new PowerResult(Machine.here(), seed, seeds, sizes.jobs(), loads, cost);
        PowerFiles.write(out, result, compared(result));
        return PowerText.of(result);
    }

    private List<PowerWork> works() {
        List<Long> all = LongStream.range(seed, seed + seeds).boxed().toList();
        List<PowerWork> works = new ArrayList<>();
        for (double load : sizes.loads()) {
            works.add(PowerWork.drawn(load, works.isEmpty(), sizes.jobs(), all));
        }
        philly.ifPresent(file -> works.addAll(PhillyList.works(file, seed, sizes.phillyNodes(), sizes.phillyJobs())));
        return works;
    }

    private static List<Rival> rivals(PowerWork work) {
        List<Rival> rivals = new ArrayList<>(List.of(Rival.ours(), Rival.ours(NOISE), Rival.oursWithNodesOff()));
        rivals.addAll(Rival.others());
        return rivals.stream().map(rival -> rival.thinned(work.everyPoint())).toList();
    }

    /** The headline's rivals under their own names, the others' with their work behind. */
    private static List<Compared> compared(PowerResult result) {
        List<Compared> rows = new ArrayList<>();
        for (PowerResult.Load load : result.loads()) {
            for (int i = PowerResult.Load.FIRST_OTHER; i < load.rivals().size(); i++) {
                String name = load.rivals().get(i).name() + load.work().words();
                load.against(i)
                        .times()
                        .ifPresent(times -> rows.add(new Compared(
                                name, 1, times, times, "mean completion time at equal energy, in that of powerflow")));
            }
        }
        return rows;
    }
}

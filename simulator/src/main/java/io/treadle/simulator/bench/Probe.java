// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.math.Quantiles;
import io.treadle.simulator.engine.Outcome;
import io.treadle.simulator.engine.Simulation;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.replay.Heap;
import io.treadle.simulator.replay.Replay;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** The program of a JVM that runs one simulation and says what it took; {@link ChildJvm} starts it. */
public final class Probe {
    private static final int QUARTERS = 4;
    private static final int WARM_RUNS = 8;
    /** Of these. */
    private static final int WARM_MEASURED = 3;

    private static final double WARM_SECONDS = 15;
    private static final ObjectMapper JSON = new ObjectMapper();

    private Probe() {}

    /** @param arguments a {@link ProbeRequest} as JSON; the answer, a {@link Probed}, goes to standard output */
    public static void main(String[] arguments) throws IOException {
        try {
            Probed probed = measure(JSON.readValue(arguments[0], ProbeRequest.class));
            System.out.println(JSON.writeValueAsString(probed));
        } catch (InputException e) {
            System.err.println(e.getMessage());
            System.exit(2);
        }
    }

    static Probed measure(ProbeRequest request) {
        Replay replay = request.replay().read();
        int jobs = replay.workload().jobs().size();
        Simulation simulation = new Simulation(replay.workload(), request.options());
        List<Double> live = new ArrayList<>();
        if (request.weighsHeap()) {
            live.add(Heap.liveMb());
        }
        Heap.reset();
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        Cost first = cost(simulation, request.policy(), request.weighsHeap() ? quarters(jobs, live) : ended -> {});
        long ran = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
        Duration all = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        double peakHeapMb = Heap.peakMb();
        return new Probed(
                jobs,
                first.events(),
                first.seconds(),
                warmSeconds(simulation, request.policy()),
                ran / 1e9,
                all.toMillis() / 1e3,
                peakHeapMb,
                live);
    }

    private record Cost(long events, double seconds) {}

    /** Nothing of the outcome is kept: it would take the heap of what follows. */
    private static Cost cost(Simulation simulation, String policy, LongConsumer progress) {
        Outcome outcome = simulation.run(policy, progress);
        return new Cost(outcome.events(), outcome.wallSeconds());
    }

    /**
     * The same again until the JVM has compiled what it needs, as far as that takes no minutes: the median of the last
     * few.
     */
    private static double warmSeconds(Simulation simulation, String policy) {
        List<Double> seconds = new ArrayList<>();
        long start = System.nanoTime();
        do {
            seconds.add(cost(simulation, policy, ended -> {}).seconds());
        } while (seconds.size() < WARM_RUNS && (System.nanoTime() - start) / 1e9 < WARM_SECONDS);
        List<Double> last = seconds.subList(Math.max(0, seconds.size() - WARM_MEASURED), seconds.size());
        return Quantiles.median().compute(last);
    }

    private static LongConsumer quarters(int jobs, List<Double> live) {
        return ended -> {
            if (ended * QUARTERS >= (long) jobs * live.size()) {
                live.add(Heap.liveMb());
            }
        };
    }
}

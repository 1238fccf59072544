// SPDX-License-Identifier: Apache-2.0
package io.treadle.telemetry;

import io.treadle.simulator.bench.Compared;
import io.treadle.simulator.bench.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the plugin took.
 *
 * @param machine where
 * @param gpus of the node
 * @param node of the process with the plugin
 * @param idle of the process without
 * @param records how many ZooKeeper got in that time
 */
record TelemetryResult(Machine machine, int gpus, CpuTimes node, CpuTimes idle, long records) {
    /** Of one core, %. */
    static final double GOAL_PERCENT = 0.5;

    private static final String UNIT = "% of a core";

    /** Its part of one core, %. */
    record Part(String name, double percent) {}

    /** The plugin's threads of one kind, by how their names begin or end. */
    private record Threads(String words, String names) {
        double percent(CpuTimes times) {
            return times.threads().entrySet().stream()
                            .filter(thread -> thread.getKey().matches(names))
                            .mapToLong(Map.Entry::getValue)
                            .sum()
                    * 100.0
                    / times.wall();
        }
    }

    private static final List<Threads> THREADS = List.of(
            new Threads("reading the GPUs, following caps, making the record", "treadle-devices-.*"),
            new Threads("keeping the containers' files", "treadle-files-.*"),
            new Threads("ZooKeeper's client", ".*(SendThread|EventThread).*|Curator.*|PersistentNode.*"));

    /** All that the process with the plugin takes beyond the one without, %. */
    double percent() {
        return percent(node) - percent(idle);
    }

    /** What the plugin's own threads take, %. */
    double threadsPercent() {
        return parts().stream().mapToDouble(Part::percent).sum();
    }

    /** The JVM compiles for as long as there is something new, which ends: the plugin's threads do not. */
    boolean isMissed() {
        return threadsPercent() >= GOAL_PERCENT;
    }

    /** The plugin's threads. */
    List<Part> parts() {
        return THREADS.stream()
                .map(threads -> new Part(threads.words(), threads.percent(node)))
                .toList();
    }

    private static double percent(CpuTimes times) {
        return times.process() * 100.0 / times.wall();
    }

    /** Processes are counted in hundredths of a second: where no more than that is between them there is no ratio. */
    List<Compared> compared() {
        List<Compared> rows = new ArrayList<>();
        rows.add(Compared.least(name() + ": threads of the plugin", threadsPercent(), GOAL_PERCENT, UNIT));
        if (percent() > 0) {
            rows.add(Compared.least(name() + ": process beside one without", percent(), GOAL_PERCENT, UNIT));
        }
        return rows;
    }

    private String name() {
        return "telemetry of " + gpus + " simulated GPUs at 1 Hz";
    }

    List<List<String>> rows() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(name(), UNIT));
        parts().forEach(part -> rows.add(List.of(part.name(), text(part.percent()))));
        rows.add(List.of("threads of the plugin, all", text(threadsPercent())));
        rows.add(List.of("goal", text(GOAL_PERCENT)));
        rows.add(List.of(
                "compiler, collector and the rest, beyond an idle process", text(percent() - threadsPercent())));
        rows.add(List.of("the process beyond an idle one, which takes " + text(percent(idle)), text(percent())));
        return rows;
    }

    private static String text(double percent) {
        return String.format(Locale.ROOT, "%.3f", percent);
    }

    String explained() {
        return String.format(
                Locale.ROOT,
                "CPU time over %.0f s in which ZooKeeper, in another process, got %d records. The compiler's part comes and goes, and"
                        + " ends when all that runs often is compiled. No GPU was asked: the GPUs are"
                        + " simulated, and what a driver's calls cost is not in it. On %s.",
                node.wall() / 1e9,
                records,
                machine.inWords());
    }
}

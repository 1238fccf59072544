// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads traces of all formats that are known. */
public final class Traces {
    private static final List<TraceReader> READERS =
            List.of(new OpenbReader(), new SynergyReader(), new TreadleReader());

    private Traces() {}

    /**
     * Jobs in order of submission; those that came at once in the order of the file.
     *
     * @param format a format's name, or {@code auto} to tell it by the first row
     * @param experiment what is random
     * @throws InputException if there is no such format or file, a row cannot be used, a job is named twice or there is
     *     none
     */
    public static Workload read(String format, Path file, SimCluster cluster, Experiment experiment) {
        TraceReader reader = reader(format, file);
        List<TraceJob> jobs = reader.read(file, cluster);
        if (jobs.isEmpty()) {
            throw new InputException(file + " holds no job.");
        }
        Set<String> ids = new HashSet<>();
        for (TraceJob job : jobs) {
            if (!ids.add(job.id())) {
                throw new InputException(file + " names job '" + job.id() + "' twice.");
            }
        }
        Workload workload = reader.prepare(cluster, jobs, experiment);
        return new Workload(
                workload.cluster(),
                workload.jobs().stream()
                        .sorted(Comparator.comparingLong(TraceJob::submitMs))
                        .toList(),
                workload.usual());
    }

    private static TraceReader reader(String format, Path file) {
        boolean auto = format.equals("auto");
        return READERS.stream()
                .filter(reader ->
                        auto ? reader.recognises(file) : reader.format().equals(format))
                .findFirst()
                .orElseThrow(() -> new InputException(
                        auto
                                ? file + " is no trace that is known: its first row is '"
                                        + String.join(",", Table.firstRow(file))
                                        + "'.\nMaybe name its format: --format "
                                        + formats() + "."
                                : "--format is '" + format + "', must be auto or one of " + formats() + "."));
    }

    /** The names of all formats. */
    public static String formats() {
        return READERS.stream().map(TraceReader::format).collect(Collectors.joining(", "));
    }
}

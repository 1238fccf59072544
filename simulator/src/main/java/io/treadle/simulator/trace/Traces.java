// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.InputException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Reads traces of all formats that are known. */
public final class Traces {
    /** The first that recognises a file reads it: ours is the last, it takes lists with few columns. */
    private static final List<TraceReader> READERS = List.of(
            new YarnReader(),
            new ServersReader(),
            new PhillyReader(),
            new SwfReader(),
            new SacctReader(),
            new GavelReader(),
            new OpenbReader(),
            new SynergyReader(),
            new HeliosReader(),
            new AcmeReader(),
            new PaiReader(),
            new SpotReader(),
            new MuriReader(),
            new TiresiasReader(),
            new ElasticFlowReader(),
            new PolluxReader(),
            new AnalysimReader(),
            new TreadleReader());

    private static final int SHOWN = 200;

    private Traces() {}

    /** The jobs of {@link #read(String, Path, SimCluster, boolean)} where no row may be bad. */
    public static List<TraceJob> read(String format, Path file, SimCluster cluster) {
        return read(format, file, cluster, false).jobs();
    }

    /**
     * Reads a trace.
     *
     * @param format a format's name, or {@code auto} to tell it by how the file begins
     * @param skipBadRows whether rows that cannot be used are counted and left out
     * @throws InputException if there is no such format or file, a row cannot be used, or there is no job to simulate
     */
    public static Trace read(String format, Path file, SimCluster cluster, boolean skipBadRows) {
        return read(format, file, cluster, Experiment.DEFAULT, skipBadRows);
    }

    /**
     * As {@link #read(String, Path, SimCluster, boolean)}, for an experiment.
     *
     * @param experiment what is random
     */
    public static Trace read(String format, Path file, SimCluster cluster, Experiment experiment, boolean skipBadRows) {
        TraceReader reader = format.equals("auto") ? recognised(file) : named(format);
        Intake intake = new Intake(cluster, skipBadRows);
        reader.read(file, intake);
        Trace trace = intake.finish(file.toString(), reader.format());
        Workload prepared = reader.prepare(cluster, trace.jobs(), experiment);
        List<TraceJob> inOrder = prepared.jobs().stream()
                .sorted(Comparator.comparingLong(TraceJob::submitMs))
                .toList();
        return trace.with(prepared.withJobs(inOrder));
    }

    /**
     * Whether an experiment with this trace draws something at random.
     *
     * @param format a format's name, or {@code auto} to tell it by how the file begins
     * @throws InputException if there is no such format or file
     */
    public static boolean isRandom(String format, Path file) {
        return (format.equals("auto") ? recognised(file) : named(format)).isRandom();
    }

    /**
     * Reads the jobs as the trace tells them, for no cluster: one task where it says no number of tasks, models of GPUs
     * whoever has them, and no draws of an experiment.
     */
    public static Trace told(String format, Path file, boolean skipBadRows) {
        TraceReader reader = format.equals("auto") ? recognised(file) : named(format);
        Intake intake = Intake.asTold(skipBadRows);
        reader.read(file, intake);
        return intake.finish(file.toString(), reader.format());
    }

    private static TraceReader recognised(Path file) {
        Head head = Head.of(file);
        String first = head.first();
        return READERS.stream()
                .filter(reader -> reader.recognises(head))
                .findFirst()
                .orElseThrow(() -> new InputException(file + " is no trace that is known: its first row is '"
                        + (first.length() > SHOWN ? first.substring(0, SHOWN) + "…" : first)
                        + "'.\nMaybe name its format: --format " + formats() + "."));
    }

    private static TraceReader named(String format) {
        return READERS.stream()
                .filter(reader -> reader.format().equals(format))
                .findFirst()
                .orElseThrow(() ->
                        new InputException("--format is '" + format + "', must be auto or one of " + formats() + "."));
    }

    /** The names of all formats. */
    public static String formats() {
        return READERS.stream().map(TraceReader::format).sorted().collect(Collectors.joining(", "));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.replay;

import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.cluster.ClusterSize;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.energy.CarbonFile;
import io.treadle.simulator.energy.ClusterPower;
import io.treadle.simulator.energy.PowerText;
import io.treadle.simulator.engine.OfferedLoad;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.result.Fingerprint;
import io.treadle.simulator.trace.Experiment;
import io.treadle.simulator.trace.Trace;
import io.treadle.simulator.trace.Traces;
import io.treadle.simulator.trace.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Which jobs are to run on which cluster.
 *
 * @param trace the file of the jobs
 * @param format its format, or {@code auto}
 * @param skipBadRows whether rows that cannot be used are left out
 * @param cluster a file or the name of a built-in cluster
 * @param nodes how many nodes of its kind there are to be instead of its own
 * @param experiment what is random
 * @param loadFactor how many times the GPU time there is the jobs are to ask for, by moving submissions
 * @param power what nodes and GPUs draw, for clusters that do not tell it
 */
public record ReplayRequest(
        Path trace,
        String format,
        boolean skipBadRows,
        String cluster,
        OptionalInt nodes,
        Experiment experiment,
        OptionalDouble loadFactor,
        Optional<ClusterPower> power) {
    /** On a cluster that tells what it draws, or of which nobody knows. */
    public ReplayRequest(
            Path trace,
            String format,
            boolean skipBadRows,
            String cluster,
            OptionalInt nodes,
            Experiment experiment,
            OptionalDouble loadFactor) {
        this(trace, format, skipBadRows, cluster, nodes, experiment, loadFactor, Optional.empty());
    }

    /** @throws InputException if a file cannot be used, or a job could never run */
    public Replay read() {
        SimCluster named = drawing(ClusterReader.read(cluster));
        SimCluster sized = nodes.isEmpty() ? named : ClusterSize.of(named, nodes.getAsInt());
        sized = sized.with(sized.outages().withSeed(experiment.seed()));
        Trace read = Traces.read(format, trace, sized, experiment, skipBadRows);
        Workload workload = read.workload();
        OfferedLoad offered = new OfferedLoad(workload.cluster(), workload.jobs());
        return new Replay(atLoad(OptionalDouble.empty()), workload, offered, read.notes(), read.skipped())
                .atLoad(loadFactor);
    }

    private SimCluster drawing(SimCluster named) {
        if (power.isPresent() && named.power().isPresent()) {
            throw new InputException("--power is '" + PowerText.of(power.get()) + "', but " + cluster + " tells itself"
                    + " what it draws ('power', '" + PowerText.of(named.power().get())
                    + "'): leave one of them out.");
        }
        return power.map(named::with).orElse(named);
    }

    /** The same with another load factor. */
    public ReplayRequest atLoad(OptionalDouble factor) {
        return new ReplayRequest(trace, format, skipBadRows, cluster, nodes, experiment, factor, power);
    }

    /** The same jobs on a cluster of so many nodes. */
    public ReplayRequest onNodes(int count) {
        return new ReplayRequest(
                trace, format, skipBadRows, cluster, OptionalInt.of(count), experiment, loadFactor, power);
    }

    /** Of all that decides the results beside the policy. */
    public String fingerprint(SimulationOptions options) {
        return Fingerprint.of(
                Stream.of(
                                List.of(trace),
                                ClusterReader.files(cluster),
                                options.plugins().jars(),
                                options.energy().carbon().map(CarbonFile::file).stream()
                                        .toList())
                        .flatMap(List::stream)
                        .toList(),
                String.join(" ", options.toString(), decisive(), System.getProperty("treadle.build", "")));
    }

    private boolean isFile() {
        return Files.isRegularFile(Path.of(cluster));
    }

    /** All that decides the results beside the files, in words. */
    private String decisive() {
        return String.join(
                " ",
                format,
                // The same wherever the file lies.
                isFile() ? String.valueOf(Path.of(cluster).getFileName()) : cluster,
                nodes.toString(),
                loadFactor.toString(),
                experiment.toString(),
                power.toString(),
                String.valueOf(skipBadRows));
    }
}

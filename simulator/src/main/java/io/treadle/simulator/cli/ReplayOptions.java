// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.replay.ReplayRequest;
import io.treadle.simulator.trace.Experiment;
import io.treadle.simulator.yarn.ResourceManager;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that say which jobs run on which cluster. */
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
final class ReplayOptions {
    @Mixin
    private TraceOptions trace;

    @Option(
            names = "--cluster",
            required = true,
            paramLabel = "FILE|URL|NAME",
            description = "the nodes: a file; a ResourceManager such as http://rm:8088; synergy-128 or synergy-32")
    private String cluster;

    @Option(names = "--nodes", paramLabel = "N", description = "as many nodes of the cluster's kind instead of its own")
    private @Nullable Integer nodes;

    @Option(
            names = "--power",
            paramLabel = "a100|v100|NODE/IDLE/GPU",
            description =
                    "what nodes and GPUs draw where the cluster does not tell: watts of a node without its GPUs, of"
                            + " an idle GPU and a GPU's default limit; a100 is 450/55/400, v100 450/25/250")
    private @Nullable String power;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description =
                    "what is random in an experiment is drawn from it: in openb, which of nodes that are alike comes"
                            + " first, and what --load draws (default: ${DEFAULT-VALUE})")
    private long seed = Experiment.DEFAULT.seed();

    @Option(
            names = "--load",
            paramLabel = "RATIO",
            description = "openb: the pods come in random order, and some again, until they ask for so many times the"
                    + " cluster's GPUs; 1.3 in FGD's experiments")
    private @Nullable Double load;

    @Option(
            names = "--load-factor",
            paramLabel = "X",
            description = "move submissions together or apart so that demand is X times the GPU time there is")
    private @Nullable Double loadFactor;

    /** @throws io.treadle.simulator.input.InputException if a value is out of its bounds */
    ReplayRequest request() {
        return new ReplayRequest(
                trace.file(),
                trace.format(),
                trace.skipsBadRows(),
                ResourceManager.isAddress(cluster)
                        ? ResourceManager.at(cluster).nodes().toString()
                        : cluster,
                nodes == null ? OptionalInt.empty() : OptionalInt.of(nodes),
                new Experiment(seed, Values.load(load)),
                loadFactor == null ? OptionalDouble.empty() : OptionalDouble.of(Values.loadFactor(loadFactor)),
                power == null ? Optional.empty() : Optional.of(Values.power(power)));
    }
}

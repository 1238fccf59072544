// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.InputException;
import java.nio.file.Path;
import java.util.List;

/** Reads the jobs of one format. */
interface TraceReader {
    /** The name on the command line. */
    String format();

    /** Whether the file begins as one of this format does. */
    boolean recognises(Head head);

    /**
     * Hands in the file's jobs in their order.
     *
     * @throws io.treadle.simulator.input.InputException if the file cannot be used
     */
    void read(Path file, Intake intake);

    /** Whether {@link #prepare} draws something at random. */
    default boolean isRandom() {
        return false;
    }

    /**
     * The jobs and the cluster as experiments with this format have them: some draw at random which jobs come, or which
     * of nodes that are alike is preferred.
     *
     * @param jobs all of the file, in its order
     */
    default Workload prepare(SimCluster cluster, List<TraceJob> jobs, Experiment experiment) {
        if (experiment.load().isPresent()) {
            throw new InputException("--load is for traces of format openb, this one is of format " + format() + ".");
        }
        return new Workload(cluster, jobs);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.cluster.SimCluster;
import java.nio.file.Path;
import java.util.List;

/** Reads the jobs of one format. */
interface TraceReader {
    /** The name on the command line. */
    String format();

    /** Whether the first row of the file says that it is of this format. */
    boolean recognises(Path file);

    /** @return in the order of the file */
    List<TraceJob> read(Path file, SimCluster cluster);

    /**
     * The cluster as experiments with this format have it: some draw at random which of nodes that are alike comes first.
     *
     * @param jobs all of the file
     */
    default SimCluster prepare(SimCluster cluster, List<TraceJob> jobs, long seed) {
        return cluster;
    }
}

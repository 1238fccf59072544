// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.simulator.input.Head;
import java.nio.file.Path;

/** Reads clusters that are written down in one way. */
interface ClusterForm {
    /** What the file's first row must be, as people are told it. */
    String looksLike();

    /** Whether the file begins as one of this form does. */
    boolean recognises(Head head);

    /** @throws io.treadle.simulator.input.InputException if the file cannot be used */
    SimCluster read(Path file);
}

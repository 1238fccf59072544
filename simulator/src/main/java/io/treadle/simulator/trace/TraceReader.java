// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.input.Head;
import java.nio.file.Path;

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
}

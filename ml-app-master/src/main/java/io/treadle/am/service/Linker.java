// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.service;

import io.treadle.am.query.master.UnfitWorkerException;
import java.io.IOException;

/** Makes a container's worker one of those that answer queries. */
interface Linker {
    /**
     * May take minutes.
     *
     * @throws UnfitWorkerException if this worker will never do; another may
     * @throws IOException if it cannot be reached
     * @throws IllegalArgumentException if no worker will ever do
     */
    Link connect(String host, int port) throws IOException, InterruptedException;
}

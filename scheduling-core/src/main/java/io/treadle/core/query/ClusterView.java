// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

/** The workers as one of them, or the master, sees them at one moment. */
public interface ClusterView {
    int workers();

    /** @param worker from 0 */
    WorkerState at(int worker);
}

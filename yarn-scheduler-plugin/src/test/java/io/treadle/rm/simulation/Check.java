// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

/** Something that must hold after every event. */
interface Check {
    /** @throws Violation where it does not */
    void look(SimulatedCluster cluster) throws Exception;
}

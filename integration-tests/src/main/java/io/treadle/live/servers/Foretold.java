// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.servers;

import io.treadle.core.model.ps.PsSize;

/**
 * An iteration's time at a size.
 *
 * @param measured s
 * @param foretold by the model, s
 */
record Foretold(PsSize size, double measured, double foretold) {
    /** Of what was foretold, relative; above 0 where it was too long. */
    double error() {
        return foretold / measured - 1;
    }
}

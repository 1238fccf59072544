// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

/** Tells runners of an earlier ApplicationMaster where this one is. */
interface RunnerGateway {
    /** Tries once, in the background; a runner that heard it registers. */
    void announce(String host, int port);
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import java.io.IOException;

/** Switches machines. */
public interface Switch {
    /**
     * @param host name of the machine, as YARN has it
     * @throws IOException if it cannot be switched; the message says why
     */
    void turn(boolean on, String host) throws IOException, InterruptedException;
}

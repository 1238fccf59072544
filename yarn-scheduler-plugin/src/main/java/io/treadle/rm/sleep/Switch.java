// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import java.io.IOException;

/** Switches machines. */
public interface Switch {
    /**
     * @param node {@code host:port} of its NodeManager
     * @throws IOException if it cannot be switched; the message says why
     */
    void turn(boolean on, String node) throws IOException, InterruptedException;
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import java.util.List;

/** Runs a command of the operating system to its end. */
public interface CommandRunner {
    /**
     * @param exitStatus 0 when it went well
     * @param output its standard output and error together
     */
    record Result(int exitStatus, String output) {}

    /** @throws DeviceProviderException if the command cannot be started or takes too long */
    Result run(List<String> command);
}

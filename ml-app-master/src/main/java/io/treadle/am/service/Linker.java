// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.service;

import java.io.IOException;

/** Makes a container's worker one of those that answer queries. */
interface Linker {
    /** @throws IOException if it cannot be reached */
    Link connect(String host, int port) throws IOException, InterruptedException;
}

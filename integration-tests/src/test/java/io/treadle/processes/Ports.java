// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Iterator;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Free ports below those that the kernel gives to outgoing connections: a daemon that is started again finds its port as
 * it left it, however often others tried to connect meanwhile.
 */
final class Ports {
    private static final int FIRST = 20_000;
    /** For each of the test JVMs that run at the same time: two must not find the same port free. */
    private static final int PORTS = 6000;

    private static final int LAST = 32_000;

    private final Iterator<Integer> candidates;

    Ports() {
        int first = FIRST + (Integer.getInteger("treadle.fork", 1) - 1) * PORTS;
        if (first < FIRST || first + PORTS > LAST) {
            throw new IllegalStateException("there are ports for " + (LAST - FIRST) / PORTS + " test JVMs, this is "
                    + Integer.getInteger("treadle.fork"));
        }
        candidates = new Random().ints(first, first + PORTS).distinct().iterator();
    }

    int next() {
        return IntStream.generate(candidates::next)
                .filter(Ports::isFree)
                .findFirst()
                .orElseThrow();
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}

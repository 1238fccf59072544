// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.service;

/**
 * How a fleet is kept.
 *
 * @param min how many workers there are at least
 * @param max how many there are at most
 * @param registerMs how long a worker may take from its container's grant to its first word
 * @param reconnectMs how long a worker may be out of reach before its container is given back
 * @param drainMs how long a worker that leaves may take for what it has
 * @param backOffMs how long no other is asked for in place of one that YARN has taken for others
 * @param failures in a row, without any worker that stayed, after which the service gives up
 */
record FleetSettings(int min, int max, long registerMs, long reconnectMs, long drainMs, long backOffMs, int failures) {
    FleetSettings {
        if (min < 1 || max < min) {
            throw new IllegalArgumentException(min + " to " + max + " workers: must be 1 or more, in this order");
        }
    }
}

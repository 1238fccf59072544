// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

/**
 * What a {@link ManagerProcess} has found; what it was not asked for is 0.
 *
 * @param perSecond containers allocated a second
 * @param heartbeat of a node in the scheduler, the time that 99 of 100 keep to, µs
 * @param heapBytes in use
 * @param longestHold of the scheduler's write lock by Treadle while a gang was granted, µs
 */
record Answer(double perSecond, double heartbeat, long heapBytes, double longestHold) {
    static final Answer NOTHING = new Answer(0, 0, 0, 0);

    static Answer window(double perSecond, double heartbeat) {
        return new Answer(perSecond, heartbeat, 0, 0);
    }

    static Answer heap(long bytes) {
        return new Answer(0, 0, bytes, 0);
    }

    static Answer gang(double longest) {
        return new Answer(0, 0, 0, longest);
    }
}

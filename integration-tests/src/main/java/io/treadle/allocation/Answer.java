// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

/**
 * What a {@link ManagerProcess} has found; what it was not asked for is 0.
 *
 * @param perSecond containers allocated a second
 * @param heartbeat of a node in the scheduler, the time that 99 of 100 keep to, µs
 * @param heapBytes in use
 * @param longestHold of the scheduler's write lock by Treadle while a gang was granted, µs
 * @param round of the planner, the mean of those that ended in the window, ms
 * @param snapshot the part of the round in which it read the cluster, ms
 * @param millis that what was done at once took, or a page until it was read whole, ms
 * @param pageBytes of that page
 */
record Answer(
        double perSecond,
        double heartbeat,
        long heapBytes,
        double longestHold,
        double round,
        double snapshot,
        double millis,
        long pageBytes) {
    static final Answer NOTHING = new Answer(0, 0, 0, 0, 0, 0, 0, 0);

    static Answer window(double perSecond, double heartbeat) {
        return new Answer(perSecond, heartbeat, 0, 0, 0, 0, 0, 0);
    }

    static Answer heap(long bytes) {
        return new Answer(0, 0, bytes, 0, 0, 0, 0, 0);
    }

    static Answer gang(double longest) {
        return new Answer(0, 0, 0, longest, 0, 0, 0, 0);
    }

    static Answer once(double millis) {
        return new Answer(0, 0, 0, 0, 0, 0, millis, 0);
    }

    static Answer page(double millis, long bytes) {
        return new Answer(0, 0, 0, 0, 0, 0, millis, bytes);
    }

    Answer withRounds(double meanRound, double meanSnapshot) {
        return new Answer(perSecond, heartbeat, heapBytes, longestHold, meanRound, meanSnapshot, millis, pageBytes);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.ingress;

/** How much is being answered. Sends away what is too much, so that what is there is answered in time. */
final class Room {
    private final int mostQueries;
    private final long mostBytes;
    private int queries;
    private long bytes;

    Room(int mostQueries, long mostBytes) {
        this.mostQueries = mostQueries;
        this.mostBytes = mostBytes;
    }

    /** @return whether there is room for one more; then {@link #leave} with the same size */
    synchronized boolean enter(long size) {
        if (queries == mostQueries || size > mostBytes - bytes) {
            return false;
        }
        queries++;
        bytes += size;
        return true;
    }

    synchronized void leave(long size) {
        queries--;
        bytes -= size;
    }

    synchronized int queries() {
        return queries;
    }
}

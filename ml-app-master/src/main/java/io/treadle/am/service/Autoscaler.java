// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.service;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * How many workers a service needs: as many as are busy six tenths of their time with what comes, and enough to have worked off
 * what waits within ten seconds. More are wanted at once, fewer once nothing has needed them for a while: workers take
 * seconds to come, and bring no models.
 */
final class Autoscaler {
    /** Of a worker's time: from here on queues grow long (M/M/1 has a mean wait of 1.5 times the work). */
    static final double BUSY = 0.6;

    static final double WORK_OFF_MS = 10_000;
    /** Over which what comes is averaged. */
    static final double LOAD_MS = 10_000;

    private record Seen(double atMs, double workMs, int needed) {}

    private final int min;
    private final int max;
    private final double patienceMs;
    private final Deque<Seen> seen = new ArrayDeque<>();

    /** @param patienceMs how long workers stay that nothing needs */
    Autoscaler(int min, int max, double patienceMs) {
        this.min = min;
        this.max = max;
        this.patienceMs = patienceMs;
    }

    /**
     * Call it about every second.
     *
     * @param nowMs never goes back
     * @param workMs that workers have done since the service started
     * @param backlogMs of work that waits on them
     * @param wanted how many there are to be by now
     */
    int wanted(double nowMs, double workMs, double backlogMs, int wanted) {
        Seen since = seen.stream()
                .filter(each -> nowMs - each.atMs() <= LOAD_MS)
                .findFirst()
                .orElse(new Seen(nowMs, workMs, wanted));
        double elapsedMs = nowMs - since.atMs();
        double load = elapsedMs > 0 ? (workMs - since.workMs()) / elapsedMs : 0;
        int needed = clipped((int) Math.ceil((load + backlogMs / WORK_OFF_MS) / BUSY));
        seen.addLast(new Seen(nowMs, workMs, needed));
        // One more than both looks back need: the last before them says that they are whole.
        while (seen.size() > 1 && nowMs - second().atMs() >= Math.max(patienceMs, LOAD_MS)) {
            seen.removeFirst();
        }
        if (needed >= wanted) {
            return needed;
        }
        boolean isPatient = nowMs - seen.getFirst().atMs() >= patienceMs;
        int most = seen.stream()
                .filter(each -> nowMs - each.atMs() <= patienceMs)
                .mapToInt(Seen::needed)
                .max()
                .orElse(wanted);
        return isPatient ? Math.min(wanted, most) : wanted;
    }

    private Seen second() {
        Iterator<Seen> all = seen.iterator();
        all.next();
        return all.next();
    }

    private int clipped(int count) {
        return Math.max(min, Math.min(max, count));
    }
}

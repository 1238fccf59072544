// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm;

import java.lang.management.ManagementFactory;

/** What an action allocates on the heap: a measure of its work that a busy machine does not change. */
public final class AllocatedBytes {
    /** Something to measure. */
    @FunctionalInterface
    public interface Action {
        void run() throws Exception;
    }

    private AllocatedBytes() {}

    /** The least number of bytes that the current thread allocates in the action, of ten times: the first load classes. */
    public static long of(Action action) throws Exception {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 10; i++) {
            long before = threads.getThreadAllocatedBytes(id);
            action.run();
            least = Math.min(least, threads.getThreadAllocatedBytes(id) - before);
        }
        return least;
    }
}

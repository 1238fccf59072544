// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.history;

import io.treadle.rm.bridge.StatusReport;
import java.util.List;

/** About how much memory a record takes on the heap, B. */
final class HeapBytes {
    /** The object of a task, its size and its list of devices, without their texts. */
    private static final long TASK = 160;
    /** A text of no characters. */
    private static final long TEXT = 48;

    private HeapBytes() {}

    static long of(List<StatusReport.Task> tasks) {
        long bytes = 0;
        for (StatusReport.Task task : tasks) {
            bytes += TASK
                    + of(task.containerId())
                    + of(task.group())
                    + of(task.node())
                    + of(task.nodeHttpAddress())
                    + of(task.logs())
                    + task.devices().stream().mapToLong(HeapBytes::of).sum();
        }
        return bytes;
    }

    private static long of(String text) {
        return TEXT + text.length();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.check;

import io.treadle.core.plan.TaskPlacement;
import io.treadle.simulator.engine.JobRun;
import java.util.List;
import java.util.Locale;

/** All nodes of all partitions together give out no more storage bandwidth than the file system has that they share. */
final class SharedStorageCheck implements Check {
    private final long megabytesPerSecond;
    private long held;
    private long most;

    SharedStorageCheck(long megabytesPerSecond) {
        this.megabytesPerSecond = megabytesPerSecond;
    }

    @Override
    public void gaveBack(JobRun job, List<TaskPlacement> tasks) {
        held -= of(tasks);
    }

    @Override
    public void took(JobRun job, List<TaskPlacement> tasks) {
        held += of(tasks);
    }

    private static long of(List<TaskPlacement> tasks) {
        return tasks.stream().mapToLong(task -> task.size().storageMBps()).sum();
    }

    @Override
    public void settled(long nowMs) {
        most = Math.max(most, held);
        if (held > megabytesPerSecond) {
            throw new BrokenRuleException(
                    nowMs,
                    "the shared file system gives " + megabytesPerSecond + " MB/s and jobs hold " + held + " MB/s");
        }
    }

    @Override
    public String words() {
        return String.format(
                Locale.ROOT, "at most %,d of %,d MB/s of the shared file system", most, megabytesPerSecond);
    }
}

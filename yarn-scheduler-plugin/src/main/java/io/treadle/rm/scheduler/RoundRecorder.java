// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.plan.Plan;
import io.treadle.core.record.SnapshotRecord;
import io.treadle.rm.conf.SchedulerConf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends every round to a file of its queue, so that it can be planned again elsewhere. For looking for faults: nothing is
 * recorded unless an administrator names a directory. Where it cannot be written, the log says so once and planning goes on.
 */
final class RoundRecorder {
    private static final Logger LOG = LoggerFactory.getLogger(RoundRecorder.class);

    private final String directory;
    private boolean broken;

    /** @param directory empty for nothing */
    RoundRecorder(String directory) {
        this.directory = directory;
    }

    void record(String policy, Snapshot snapshot, Plan plan) {
        if (directory.isEmpty() || broken) {
            return;
        }
        Path file = Path.of(directory, snapshot.queue().name() + ".jsonl");
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(
                    file,
                    SnapshotRecord.of(policy, snapshot, plan).toJson() + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            broken = true;
            LOG.warn("Rounds are not recorded: {} names '{}': {}", SchedulerConf.RECORD_DIR, directory, e.toString());
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.plan.Plan;
import io.treadle.core.record.SnapshotRecord;
import io.treadle.rm.conf.SchedulerConf;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends every round to a file of its queue and partition, so that it can be planned again elsewhere. For looking for
 * faults: nothing is recorded unless an administrator names a directory. Where it cannot be written, the log says so once
 * and planning goes on.
 */
final class RoundRecorder {
    private static final Logger LOG = LoggerFactory.getLogger(RoundRecorder.class);

    private final String directory;
    /** Files that cannot be written. */
    private final Set<String> broken = new HashSet<>();

    /** @param directory empty for nothing */
    RoundRecorder(String directory) {
        this.directory = directory;
    }

    /** @param partition node label of the nodes that were planned; empty for those without one */
    void record(String partition, String policy, Snapshot snapshot, Plan plan) {
        String queue = snapshot.queue().name();
        String name = fileName(queue, partition);
        if (directory.isEmpty() || broken.contains(name)) {
            return;
        }
        try {
            Path file = Path.of(directory, name);
            Files.createDirectories(file.getParent());
            Files.writeString(
                    file,
                    SnapshotRecord.of(policy, snapshot, plan).toJson() + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException | RuntimeException e) {
            // Whatever is wrong with the record, the plan is carried out.
            broken.add(name);
            LOG.warn(
                    "Rounds of queue '{}'{} are not recorded: {} names '{}': {}",
                    queue,
                    partition.isEmpty() ? "" : " on nodes of label '" + partition + "'",
                    SchedulerConf.RECORD_DIR,
                    directory,
                    e.toString());
        }
    }

    /** A queue may be called almost anything: what no file can be called in every locale is escaped, and so is the @. */
    private static String fileName(String queue, String partition) {
        String escaped = URLEncoder.encode(queue, StandardCharsets.UTF_8);
        return (partition.isEmpty() ? escaped : escaped + "@" + URLEncoder.encode(partition, StandardCharsets.UTF_8))
                + ".jsonl";
    }
}

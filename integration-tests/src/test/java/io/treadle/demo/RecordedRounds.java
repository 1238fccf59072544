// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.policy.Session;
import io.treadle.core.record.SnapshotRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rounds of a ResourceManager, planned again as the simulator plans: a session to which the jobs come one by one. The same
 * snapshot gives the same plan.
 *
 * @param rounds how many there were
 * @param starts tasks that they started: of a job that waits again what was planned before was not carried out, as others took
 *     the room meanwhile
 * @param resizes new sizes that they gave to tasks
 */
public record RecordedRounds(int rounds, int starts, int resizes) {
    /** @param directory that the ResourceManager was told to record in */
    public static RecordedRounds planAgain(Path directory, String policyName) throws IOException {
        Policy policy = PolicyRegistry.BUILT_IN.policy(
                policyName, PolicyRegistry.BUILT_IN.placement(PolicyRegistry.DEFAULT_PLACEMENT));
        int round = 0;
        Map<String, Integer> starts = new HashMap<>();
        int resizes = 0;
        for (String line :
                Files.readAllLines(directory.resolve("root." + DemoCluster.queueOf(policyName) + ".jsonl"))) {
            round++;
            SnapshotRecord record = SnapshotRecord.fromJson("round " + round, line);
            assertEquals(policyName, record.policy());
            Snapshot live = record.snapshot();
            Session session = policy.open(live.at(live.nowMs(), List.of()));
            for (JobView job : live.jobs()) {
                if (job.running()) {
                    session.runs(job);
                } else {
                    session.waits(job);
                }
            }
            assertEquals(
                    record.changes(),
                    SnapshotRecord.changes(live, session.decide(live.nowMs())),
                    "round " + round + ": " + line.substring(line.indexOf("\"jobs\"")));
            for (JobView job : live.jobs()) {
                SnapshotRecord.Change change = record.changes().get(job.id());
                if (change != null) {
                    int before = job.running() ? starts.getOrDefault(job.id(), 0) : 0;
                    starts.put(job.id(), before + change.starts().size());
                    resizes += change.sizes().size();
                }
            }
        }
        return new RecordedRounds(
                round, starts.values().stream().mapToInt(Integer::intValue).sum(), resizes);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.JobProgressRecord;
import io.treadle.rm.bridge.StatusReport;
import io.treadle.rm.gang.Gang;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

class JobHistoriesTest {
    private final JobHistories histories = new JobHistories();

    private static StatusReport.Job job(int number, int tasks, long vcores, double speed) {
        GangSpec spec = new GangSpec(
                List.of(new GangSpec.Group("worker", 2, 2, ResourceVector.of(1, 1, 512), List.of())),
                "",
                0,
                false,
                0,
                "");
        Gang gang = new Gang(ApplicationId.newInstance(1, number), spec, "root.ml", "", "ada", "job", 0);
        List<StatusReport.Task> list = IntStream.range(0, tasks)
                .mapToObj(i -> new StatusReport.Task(
                        "c" + i, "worker", "n:1", "n:2", ResourceVector.of(1, vcores, 512), List.of(), "http://n:2/c"))
                .toList();
        return new StatusReport.Job(
                gang, 2, list, Optional.of(new JobProgressRecord(1, 0, speed, 0, "", 0)), Optional.empty());
    }

    @Test
    void notesSizesWhenTheyChange() {
        histories.observe(job(1, 0, 0, 0), 1000);
        histories.observe(job(1, 2, 3, 10), 2000);
        histories.observe(job(1, 2, 3, 11), 2500);
        histories.observe(job(1, 2, 5, 12), 4000);
        histories.observe(job(1, 0, 0, 0), 5000);
        JobHistory history = histories.of(ApplicationId.newInstance(1, 1));
        assertEquals(
                List.of(
                        new JobHistory.Size(2000, 2, 2, 6),
                        new JobHistory.Size(4000, 2, 2, 10),
                        new JobHistory.Size(5000, 0, 0, 0)),
                history.sizes());
        assertEquals(
                List.of(1000L, 2000L, 4000L, 5000L),
                history.speeds().stream().map(JobHistory.Speed::atMs).toList());
    }

    @Test
    void isBoundedAndKeepsBothEnds() {
        int rounds = 5000;
        for (int i = 1; i <= rounds; i++) {
            histories.observe(job(1, 1, i, i), i * 1000L);
        }
        JobHistory history = histories.of(ApplicationId.newInstance(1, 1));
        List<JobHistory.Size> sizes = history.sizes();
        assertTrue(sizes.size() <= JobHistory.MAX_SIZES, "sizes: " + sizes.size());
        assertEquals(1000, sizes.get(0).atMs());
        assertEquals(rounds, sizes.get(sizes.size() - 1).vcores());
        List<JobHistory.Speed> speeds = history.speeds();
        assertTrue(speeds.size() <= JobHistory.MAX_SPEEDS, "speeds: " + speeds.size());
        assertEquals(1000, speeds.get(0).atMs());
        for (int i = 1; i < sizes.size(); i++) {
            assertTrue(sizes.get(i - 1).atMs() < sizes.get(i).atMs());
        }
    }

    @Test
    void remembersWhatAnEndedJobHadLast() {
        histories.observe(job(7, 2, 3, 10), 1000);
        // Its containers go one after the other.
        histories.observe(job(7, 1, 3, 10), 1500);
        histories.end(job(7, 0, 0, 10), 2000);
        ApplicationId id = ApplicationId.newInstance(1, 7);
        histories.observe(job(7, 1, 1, 1), 3000);
        JobHistories.EndedJob ended = histories.ended(id).orElseThrow();
        assertEquals(2, ended.job().tasks().size());
        assertEquals(2000, ended.endMs());
        assertEquals(2, ended.history().sizes().size());
        assertEquals(List.of(), histories.of(id).sizes());
    }

    @Test
    void forgetsTheOldestOfManyEndedJobs() {
        for (int i = 1; i <= JobHistories.MAX_ENDED + 3; i++) {
            histories.end(job(i, 0, 0, 0), i);
        }
        assertEquals(JobHistories.MAX_ENDED, histories.ended().size());
        assertEquals(JobHistories.MAX_ENDED + 3L, histories.ended().get(0).endMs());
        assertTrue(histories.ended(ApplicationId.newInstance(1, 3)).isEmpty());
    }

    @Test
    void containersOfEndedJobsAreBoundedByTheirBytes() {
        int tasks = 10_000;
        int jobs = 20;
        for (int i = 1; i <= jobs; i++) {
            histories.observe(job(i, tasks, 3, 10), 1000);
            histories.end(job(i, 0, 0, 10), i);
        }
        long kept = histories.ended().stream()
                .mapToLong(ended -> HeapBytes.of(ended.job().tasks()))
                .sum();
        assertTrue(kept <= JobHistories.MAX_BYTES, () -> kept + " bytes");
        assertEquals(jobs, histories.ended().size(), "all of them are remembered");
        JobHistories.EndedJob newest = histories.ended().get(0);
        assertEquals(tasks, newest.job().tasks().size());
        assertEquals(Optional.empty(), newest.history().lastRunning(), "they are kept once");
        JobHistories.EndedJob oldest = histories.ended().get(jobs - 1);
        assertEquals(List.of(), oldest.job().tasks());
        assertEquals(tasks, oldest.history().sizes().get(0).tasks(), "what it held stays");
    }
}

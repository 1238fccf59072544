// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.JobProgressRecord;
import io.treadle.core.wire.ProfileDataset;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.rm.bridge.StatusReport;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.history.JobHistory;
import io.treadle.rm.power.JobPower;
import io.treadle.rm.power.Owner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

/** What a job has, what it could use, and why not more: for CPU and for memory. */
class JobPageTest {
    private static final String REASON = "has 1 GPU, 4 vcores, 3072 MiB for each task: 2048 MiB went to job x";
    /**
     * One worker reads 4 GiB from a disk of 100 MB/s. At 3,020 samples/s an epoch takes 13.2 s: with c MB in its cache
     * c / 5000 + (4295 - c) / 100 is that at c = 3031, 2,891 MiB. The next tenth is 3,277, and 256 beside the cache.
     */
    private static final ProfileDataset DATA = new ProfileDataset(1L << 32, 40_000, 5000, 100, 256);

    private static final JobPower POWER = new JobPower(
            new Owner("application_1767225000000_0007", "ada", "root.ml"), 251.6, 9000, OptionalDouble.of(0.45));

    @Test
    void energyAndDrawAreShown() {
        String page = page(Optional.empty(), "training");
        assertTrue(page.contains("<b>2.5 Wh</b>used by its GPUs, 0.5 J a sample"), page);
        assertTrue(page.contains("<b>252 W</b>drawn by its GPUs now"), page);
    }

    @Test
    void aJobThatReadsShowsItsMemory() {
        String page = page(Optional.of(DATA), "training; worker 0 does not follow its size: has 4 vcores, uses 6.0");
        assertTrue(page.contains(REASON), page);
        assertTrue(page.contains("Its ApplicationMaster says: training; worker 0 does not follow its size"), page);
        assertTrue(page.contains("<b>4</b>vcores a task, 8 useful"), page);
        assertTrue(page.contains("<b>3,072</b>MiB a task, 3,533 useful"), page);
        assertTrue(page.contains("<h3 id=\"memory\">Speed over memory</h3>"), page);
        assertTrue(page.contains("useful: 3,533</text>"), page);
        assertTrue(page.contains("now: 3,072</text>"), page);
        assertTrue(page.contains("Reckoned at 4 vcores from what its workers read and measured: 4,295 MB"), page);
        assertEquals(2, page.split("class=\"chart curve\"", -1).length - 1);
    }

    @Test
    void ofAJobThatReadsNothingNothingIsSaidOfMemory() {
        String page = page(Optional.empty(), "training");
        assertTrue(page.contains("vcores a task, 8 useful"), page);
        assertFalse(page.contains("MiB a task"), page);
        assertFalse(page.contains("ApplicationMaster says"), "it trains, which the state says already");
        assertEquals(1, page.split("class=\"chart curve\"", -1).length - 1);
    }

    private static String page(Optional<ProfileDataset> data, String note) {
        ApplicationId id = ApplicationId.newInstance(1_767_225_000_000L, 7);
        Gang gang = new Gang(
                id,
                new GangSpec(
                        List.of(new GangSpec.Group("worker", 1, 1, ResourceVector.of(1, 1, 1024), List.of())),
                        "alexnet",
                        64,
                        500_000,
                        false,
                        0,
                        ""),
                "root.ml",
                "",
                "ada",
                "alexnet-a",
                1_767_225_600_000L);
        gang.explain(Gang.State.RUNNING, REASON);
        ProfileRecord profile = new ProfileRecord(
                        id.toString(),
                        "alexnet",
                        "A100",
                        64,
                        ProfileRecord.Phase.READY,
                        1,
                        List.of(
                                new ProfileRecord.Point(1, 4352, 500, 9),
                                new ProfileRecord.Point(4, 4352, 2000, 9),
                                new ProfileRecord.Point(8, 4352, 3000, 9),
                                new ProfileRecord.Point(12, 4352, 3020, 9)),
                        1)
                .withDataset(data);
        StatusReport.Task task = new StatusReport.Task(
                "container_1767225000000_0007_01_000002",
                "worker",
                "n07:45454",
                "n07:8042",
                ResourceVector.of(1, 4, 3072),
                List.of("GPU-1"),
                "http://n07:8042/logs");
        StatusReport.Job job = new StatusReport.Job(
                gang,
                1,
                List.of(task),
                Optional.of(new JobProgressRecord(201_344, 500_000, 1412.5, 0, note, 1)),
                Optional.of(profile));
        return JobPage.render(
                new JobAnswer.Found(
                        job,
                        "srtf+synergy-balanced",
                        new JobHistory(),
                        Optional.of(POWER),
                        OptionalLong.empty(),
                        "",
                        ""),
                parts -> "/cluster/" + String.join("/", parts),
                1_767_225_700_000L,
                Map.of());
    }
}

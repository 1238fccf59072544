// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.cluster.ApplicationViews;
import io.treadle.cluster.ContainerProcesses;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.core.wire.EnergyPoint;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.demo.ClientLauncher;
import io.treadle.demo.CpuShare;
import io.treadle.demo.DemoCluster;
import io.treadle.demo.DemoJob;
import io.treadle.demo.JobStatus;
import io.treadle.demo.Python;
import io.treadle.demo.Scripts;
import io.treadle.demo.StatusReader;
import io.treadle.processes.Await;
import io.treadle.rm.scheduler.TreadleScheduler;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A job on one GPU of eight that it may have is measured with the batches of 1, 2, 4 and 8 GPUs, each at three caps, while it
 * trains; the twelve points are kept under its model's tag, and no sample is lost or counted twice.
 */
@Tag("alone")
class BatchesLiveIT {
    private static final String POLICY = "powerflow";
    private static final PoweredWork WORK = PoweredWork.SPEECH;
    private static final DemoJob JOB = WORK.job("speech", 8, 240, 0);

    @Test
    void theBatchesOfOtherNumbersOfGpusAreMeasuredOnOne() throws Exception {
        Map<String, String> settings = new HashMap<>(PowerNodes.settings(""));
        settings.put("treadle.profile.energy.seconds", "2");
        Path work;
        try (EmbeddedCluster cluster =
                DemoCluster.start(PowerNodes.ALL, List.of(POLICY), CpuShare.of(2, 32), starting -> {}, settings)) {
            work = cluster.workDirectory();
            DemoCluster.describe(cluster);
            PoweredSpecs specs = new PoweredSpecs(
                            Python.interpreter(), Scripts.extract("powered.py", work.resolve("scripts")))
                    .takingBatches();
            try (ClientLauncher launcher = new ClientLauncher(cluster.configuration())) {
                ApplicationId id = launcher.submit(specs.of(JOB, DemoCluster.queueOf(POLICY), true));
                ApplicationViews views = new ApplicationViews(cluster);
                Await.until("measured, it grows", () -> views.of(id).gpus() >= 2);
                Await.until("it ends", () -> views.of(id).ended());
                assertEquals(FinalApplicationStatus.SUCCEEDED, views.of(id).finalStatus());
                StatusReader statuses = new StatusReader(work.resolve("history"));
                Await.until("its record is written", () -> statuses.record(id).isPresent());
                JobStatus status = statuses.record(id).orElseThrow();
                assertEquals(JOB.samples(), status.samples(), status.toString());
                Await.until("its profile is kept", () -> !stored(cluster).isEmpty());
                assertTwelvePoints(stored(cluster).get(0));
            }
        }
        assertEquals(List.of(), ContainerProcesses.under(work), "processes left behind");
    }

    private static List<ProfileRecord> stored(EmbeddedCluster cluster) throws Exception {
        TreadleScheduler scheduler =
                (TreadleScheduler) cluster.resourceManager().getResourceScheduler();
        return scheduler.profiles().orElseThrow().all().values().stream()
                .filter(profile -> profile.modelTag().equals(WORK.modelTag()))
                .toList();
    }

    private static void assertTwelvePoints(ProfileRecord profile) {
        assertEquals(64, profile.batchSize(), "its own batch names the profile");
        for (long batch : new long[] {64, 32, 16, 8}) {
            for (double cap : new double[] {400, 240, 160}) {
                EnergyPoint point = profile.energy().stream()
                        .filter(p -> p.gpus() == 1 && p.batch() == batch && p.capWatts() == cap)
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(
                                "no point of " + batch + " samples at " + cap + " W: " + profile.energy()));
                assertEquals(64 / batch, point.passes());
                assertTrue(point.isPossible(), point.toString());
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.cluster.ApplicationView;
import io.treadle.cluster.ApplicationViews;
import io.treadle.cluster.ContainerProcesses;
import io.treadle.cluster.DeviceShape;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import io.treadle.cluster.RunningContainer;
import io.treadle.processes.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job that reads a dataset, on real YARN: its container grows in memory while there is room, and shrinks when a rival
 * comes that needs it, in place both times. What the ResourceManager planned on is recorded, and planned again as the
 * simulator does: the same snapshot gives the same plan.
 */
class ReadingJobIT {
    /** For two workers with an ApplicationMaster and a spare of memory beside them: 1280 MiB each. */
    private static final List<NodeShape> NODES =
            List.of(new NodeShape("n1", 4608, 8, List.of(new DeviceShape(2, "A100", 40960, 400))));

    private static final String RECORD_DIR = "yarn.scheduler.treadle.record-dir";
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String POLICY = "fifo+synergy-balanced";
    private static final int ASKED_MIB = 1024;
    private static final int SHARE_MIB = 1280;
    private static final int WORKING_MIB = 256;
    /** As the demo's: 37 % of its data find room in what it asks for, it needs 61 % to be as fast as its GPU. */
    private static final Work READS =
            new Work("reads", 2, 20.5, 2).reading(new WorkData(2048, 8192, WORKING_MIB, ASKED_MIB, 320));

    private static final Work RIVAL =
            new Work("rival", 0.1, 40, 2).reading(new WorkData(512, 8192, WORKING_MIB, SHARE_MIB, 320));

    @Test
    void itGrowsInMemoryAndMakesWayInPlace(@TempDir Path rounds) throws Exception {
        CpuShare share = CpuShare.of(2, DemoNodes.vcores(NODES));
        Path work;
        try (EmbeddedCluster cluster = DemoCluster.start(
                NODES, List.of(POLICY), share, starting -> {}, Map.of(RECORD_DIR, rounds.toString()))) {
            work = cluster.workDirectory();
            DemoCluster.describe(cluster);
            ApplicationViews views = new ApplicationViews(cluster);
            StatusReader statuses = new StatusReader(work.resolve("history"));
            JobSpecs specs =
                    new JobSpecs(Python.interpreter(), Scripts.extract("trainer.py", work.resolve("scripts")), share);
            String queue = DemoCluster.queueOf(POLICY);
            try (ClientLauncher launcher = new ClientLauncher(cluster.configuration())) {
                ApplicationId reader = launcher.submit(specs.of(job("reader", READS, 100_000), queue, true));
                RunningContainer asked = Await.value("the reader has its container", () -> worker(views.of(reader)));
                assertEquals(ASKED_MIB, asked.memoryMiB(), "nobody knows yet that it reads");
                RunningContainer grown = Await.value(
                        "the reader has grown", () -> worker(views.of(reader)).filter(c -> c.memoryMiB() > SHARE_MIB));
                assertEquals(asked.containerId(), grown.containerId());
                Await.until(
                        "its cache has, too",
                        () -> statuses.text(views.of(reader).trackingUrl() + "status.json").stream()
                                .anyMatch(page -> cachedMiB(page) > ASKED_MIB - WORKING_MIB + 64));

                ApplicationId rival = launcher.submit(specs.of(job("rival", RIVAL, 200), queue, false));
                Await.until("the rival has ended", () -> views.of(rival).ended());
                assertEquals(
                        FinalApplicationStatus.SUCCEEDED, views.of(rival).finalStatus(), views.of(rival)::diagnostics);
                ApplicationView now = views.of(reader);
                String page = Await.value(
                        "the ApplicationMaster answers", () -> statuses.text(now.trackingUrl() + "status.json"));
                assertEquals(List.of(grown.containerId()), ids(now), page);
                JobStatus status = JobStatus.fromJson(page).orElseThrow();
                assertEquals(0, status.restarts(), page);
                List<DemoResult.Resize> memory = status.memoryResizes();
                assertTrue(
                        memory.stream().anyMatch(r -> r.to() > r.from())
                                && memory.stream().anyMatch(r -> r.to() < r.from()),
                        page);
                assertTrue(memory.stream().allMatch(r -> r.to() >= ASKED_MIB), page);
                launcher.kill(reader);
            }
            DemoCluster.awaitIdle(cluster);
        }
        assertEquals(List.of(), ContainerProcesses.under(work), "processes left behind");
        RecordedRounds again = RecordedRounds.planAgain(rounds, POLICY);
        // Two gangs started, and the reader grew and shrank.
        assertTrue(again.starts() >= 2 && again.resizes() >= 2, again.toString());
    }

    private static DemoJob job(String name, Work work, long samples) {
        return new DemoJob(name, work, 1, 1, 1, List.of(), samples, 0);
    }

    private static Optional<RunningContainer> worker(ApplicationView view) {
        return view.workers().stream().findFirst();
    }

    private static List<String> ids(ApplicationView view) {
        return view.workers().stream().map(RunningContainer::containerId).toList();
    }

    /** Of the only worker. */
    private static long cachedMiB(String page) {
        try {
            return MAPPER.readTree(page).at("/workers/0/data/cachedBytes").asLong() >> 20;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(page, e);
        }
    }
}

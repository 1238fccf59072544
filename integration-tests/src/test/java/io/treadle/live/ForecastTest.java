// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.ProfileDataset;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ProfileRecord.Point;
import io.treadle.demo.DemoException;
import io.treadle.demo.DemoJob;
import io.treadle.demo.Work;
import io.treadle.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Recorded profiles and jobs as the simulator takes them, and what it makes of them, by hand. */
class ForecastTest {
    private static final StartUp START_UP = new StartUp(4, 2, 1);
    /** 10 samples/s a vcore, 60 at most. */
    private static final Work KIND = new Work("kind", 1, 1, 1);

    private static final NodeView NODE = Forecast.node(LiveNodes.ALL.get(0), 4);

    private static ProfileRecord profile(int workers, long memoryMiB, Optional<ProfileDataset> data) {
        List<Point> points = List.of(
                new Point(1, memoryMiB, 10, 5, .01, 1),
                new Point(3, memoryMiB, 30, 5, .01, 1),
                new Point(6, memoryMiB, 60, 5, .01, 1),
                new Point(12, memoryMiB, 60, 5, .01, 1));
        return new ProfileRecord(
                "application_1_1", "kind", LiveNodes.GPU, 1, ProfileRecord.Phase.READY, workers, points, 0, 1, data);
    }

    private static Forecast forecast(ProfileRecord profile) {
        return new Forecast(List.of(NODE), Map.of("kind", profile));
    }

    private static DemoJob job(String name, int workers, long samples) {
        return LiveKinds.job(name, KIND, workers, samples, 0);
    }

    @Test
    void aNodeKeepsRoomForApplicationMasters() {
        // 12 vcores and four times 704 MiB are for 4 GPUs.
        assertEquals(ResourceVector.of(1, 3, 704), NODE.share(1));
        assertEquals(4, NODE.devices().size());
        assertTrue(NODE.devices().stream().allMatch(device -> device.model().equals(LiveNodes.GPU)));
        // Two fewer leave 1024 MiB more to the four.
        assertEquals(704 + 256, Forecast.node(LiveNodes.ALL.get(0), 2).share(1).memoryMiB());
    }

    @Test
    void aJobComesWhenItsApplicationMasterAsks() {
        TraceJob one = forecast(profile(1, 512, Optional.empty())).traceJob(job("one", 1, 300), 5.5);
        assertEquals(5500, one.submitMs());
        // 30 samples/s at three vcores.
        assertEquals(300, one.work().samples(), 1e-9);
        assertEquals(1 / 30.0, one.work().secondsPerSample(), 1e-12);
        assertEquals(1, one.gpus());

        // Two workers do twice as much, whatever number of workers the profile is of.
        TraceJob two = forecast(profile(1, 512, Optional.empty())).traceJob(job("two", 2, 300), 0);
        assertEquals(1 / 60.0, two.work().secondsPerSample(), 1e-12);
        TraceJob half = forecast(profile(2, 512, Optional.empty())).traceJob(job("half", 1, 300), 0);
        assertEquals(1 / 15.0, half.work().secondsPerSample(), 1e-12);
    }

    @Test
    void aJobThatReadsIsAsFastAsItsShareOfMemoryAllows() {
        // 1000 samples in 1000 MiB from a disk of 10 MB/s. Of 704 MiB, 104 are working memory, the rest holds 600: 400
        // · 2^20
        // bytes, 419.4304 MB, are read in an epoch of 41.94304 s.
        ProfileDataset data = new ProfileDataset(1000L << 20, 1000, 0, 10, 104);
        TraceJob reader = forecast(profile(1, 4096, Optional.of(data))).traceJob(job("reader", 1, 100), 0);
        assertEquals(.04194304, reader.work().secondsPerSample(), 1e-9);
        assertTrue(reader.profile().orElseThrow().coversMemory());
    }

    @Test
    void proportionalSharesTakeTheTimeOfTheShare() {
        List<DemoJob> jobs = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            jobs.add(job("job-" + i, 1, 300));
        }
        Map<String, Double> seconds = forecast(profile(1, 512, Optional.empty()))
                .jctSeconds(jobs, Collections.nCopies(5, 0.0), Collections.nCopies(5, START_UP), LiveBench.BASELINE);
        // 4 s to register, 2 s without training, 300 samples at 30/s, 1 s to end; the fifth waits for a GPU as long as
        // the first runs.
        assertEquals(17, seconds.getOrDefault("job-0", Double.NaN), .002);
        assertEquals(17, seconds.getOrDefault("job-3", Double.NaN), .002);
        assertEquals(29, seconds.getOrDefault("job-4", Double.NaN), .002);
    }

    @Test
    void balancedGivesWhatIsUseful() {
        Forecast forecast = forecast(profile(1, 512, Optional.empty()));
        Map<String, Double> alone =
                forecast.jctSeconds(List.of(job("job", 1, 300)), List.of(0.0), List.of(START_UP), LiveBench.OURS);
        // 4 s to register, 2 s without training, 300 samples at 60/s with 6 vcores or more, 1 s to end.
        assertEquals(12, alone.getOrDefault("job", Double.NaN), .01);
        // Four have 12 vcores between them, and nobody gets less than the share.
        List<DemoJob> four = List.of(job("a", 1, 300), job("b", 1, 300), job("c", 1, 300), job("d", 1, 300));
        Map<String, Double> shared = forecast.jctSeconds(
                four, Collections.nCopies(4, 0.0), Collections.nCopies(4, START_UP), LiveBench.OURS);
        shared.forEach((name, seconds) -> assertEquals(17, seconds, .002, name));
    }

    @Test
    void idleTimeIsTheJobsOwn() {
        Forecast forecast = forecast(profile(1, 512, Optional.empty()));
        // One holds its GPU for 8 s before it trains, whatever its speed.
        Map<String, Double> seconds = forecast.jctSeconds(
                List.of(job("slow", 1, 300), job("fast", 1, 300)),
                List.of(0.0, 0.0),
                List.of(new StartUp(0, 8, 0), new StartUp(0, 0, 0)),
                LiveBench.OURS);
        // 12 vcores: both have the six that they can use.
        assertEquals(13, seconds.getOrDefault("slow", Double.NaN), .01);
        assertEquals(5, seconds.getOrDefault("fast", Double.NaN), .01);
    }

    @Test
    void aKindWithoutProfileIsSaid() {
        Forecast none = new Forecast(List.of(NODE), Map.of());
        DemoException said = assertThrows(DemoException.class, () -> none.traceJob(job("job", 1, 300), 0));
        assertEquals("there is no profile of kind", said.getMessage());
    }
}

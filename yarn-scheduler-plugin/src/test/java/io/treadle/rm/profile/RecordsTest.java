// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.JobProgressRecord;
import io.treadle.core.wire.MemoryRecord;
import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.rm.StandingClock;
import io.treadle.rm.conf.SchedulerConf;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordsTest {
    private static final ProfileRecord.Point POINT = new ProfileRecord.Point(1, 0, 10, 5);

    @Test
    void wattsStartNoRound() {
        NodeRecord before = node(NodeRecord.Health.OK, 60, List.of());
        assertFalse(RecordChanges.matter(before, node(NodeRecord.Health.OK, 300, List.of())));
        assertTrue(RecordChanges.matter(before, node(NodeRecord.Health.LOST, 60, List.of())));
        NodeRecord held = node(NodeRecord.Health.OK, 60, List.of("container_1"));
        assertFalse(RecordChanges.matter(before, held), "ordinary applications come and go without end");
        assertTrue(RecordChanges.haveOtherHolders(before, held));
        assertFalse(RecordChanges.haveOtherHolders(held, node(NodeRecord.Health.OK, 300, List.of("container_1"))));
    }

    @Test
    void whatIsMeasuredStartsARound() {
        ProfileRecord before = profile(ProfileRecord.Phase.PROFILING, List.of(POINT), 1);
        assertFalse(RecordChanges.matter(before, profile(ProfileRecord.Phase.PROFILING, List.of(POINT), 2)));
        assertTrue(RecordChanges.matter(before, profile(ProfileRecord.Phase.READY, List.of(POINT), 1)));
        assertTrue(RecordChanges.matter(before, profile(ProfileRecord.Phase.PROFILING, List.of(), 1)));
        List<ProfileRecord.Point> surer = List.of(new ProfileRecord.Point(1, 0, 10.1, 10, 0.01, 2));
        assertFalse(RecordChanges.matter(before, profile(ProfileRecord.Phase.PROFILING, surer, 2)));
        List<ProfileRecord.Point> faster = List.of(new ProfileRecord.Point(1, 0, 10.3, 10, 0.01, 2));
        assertTrue(RecordChanges.matter(before, profile(ProfileRecord.Phase.PROFILING, faster, 2)));
    }

    @Test
    void profilingEndsWhateverTheJobSays() {
        Says telemetry = new Says();
        StandingClock clock = new StandingClock();
        ProfilingTime time = new ProfilingTime(telemetry, Duration.ofSeconds(10), clock);
        telemetry.phase = ProfileRecord.Phase.PROFILING;
        assertTrue(time.isMeasured("job", false));
        clock.set(100);
        assertTrue(time.isMeasured("job", true), "time begins with its tasks");
        clock.set(110);
        assertTrue(time.isMeasured("job", true));
        telemetry.phase = ProfileRecord.Phase.READY;
        assertFalse(time.isMeasured("job", true));
        telemetry.phase = ProfileRecord.Phase.PROFILING;
        clock.set(111);
        assertFalse(time.isMeasured("job", true), "saying something else meanwhile does not start it anew");
        telemetry.phase = ProfileRecord.Phase.READY;
        clock.set(120);
        assertFalse(time.isMeasured("job", true));
        clock.set(129);
        telemetry.phase = ProfileRecord.Phase.PROFILING;
        assertFalse(time.isMeasured("job", true), "9 s without is not enough");
        telemetry.phase = ProfileRecord.Phase.READY;
        clock.set(130);
        assertFalse(time.isMeasured("job", true));
        clock.set(140);
        telemetry.phase = ProfileRecord.Phase.PROFILING;
        assertTrue(time.isMeasured("job", true), "after 10 s without it may be profiled again");
        clock.set(151);
        assertFalse(time.isMeasured("job", true));
        time.forget("job");
        assertTrue(time.isMeasured("job", true));
    }

    @Test
    void whatAContainerHadCountsUntilItsJobIsNoLongerMeasured() {
        Says telemetry = new Says();
        ProfilingTime time = new ProfilingTime(telemetry, Duration.ofSeconds(10), new StandingClock());
        telemetry.phase = ProfileRecord.Phase.PROFILING;
        assertEquals(5, time.mostHeld("job", "one", 5));
        assertEquals(12, time.mostHeld("job", "one", 12));
        assertEquals(12, time.mostHeld("job", "one", 3));
        assertEquals(2, time.mostHeld("job", "two", 2));
        assertEquals(4, time.mostHeld("another", "one", 4));
        telemetry.phase = ProfileRecord.Phase.READY;
        assertFalse(time.isMeasured("job", true));
        assertEquals(3, time.mostHeld("job", "one", 3));
        time.forget("another");
        assertEquals(1, time.mostHeld("another", "one", 1));
    }

    @Test
    void emptySecretIsRefused(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("digest"), " \n");
        Configuration conf = new Configuration(false);
        conf.set(SchedulerConf.ZK_DIGEST_FILE, file.toString());
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> ZkAccess.from(SchedulerConf.from(conf)));
        assertEquals(
                "yarn.treadle.zk-digest-file names '" + file + "', which is empty, must hold a secret",
                refused.getMessage());
    }

    private static NodeRecord node(NodeRecord.Health health, double watts, List<String> containers) {
        return new NodeRecord(
                "h:1",
                1,
                List.of(new NodeRecord.Device("A", 0, "T4", 1024, true, health, watts, 0, 0, 0, 0, 0, containers)));
    }

    private static ProfileRecord profile(ProfileRecord.Phase phase, List<ProfileRecord.Point> points, long updatedMs) {
        return new ProfileRecord("job", "", "", 0, phase, 1, points, updatedMs);
    }

    private static final class Says implements Telemetry {
        private ProfileRecord.Phase phase = ProfileRecord.Phase.READY;

        @Override
        public boolean knowsNodes() {
            return true;
        }

        @Override
        public Optional<NodeRecord> node(String hostAndPort) {
            return Optional.empty();
        }

        @Override
        public Optional<ProfileRecord> profile(String applicationId) {
            return Optional.of(RecordsTest.profile(phase, List.of(POINT), 1));
        }

        @Override
        public Optional<ProfileRecord> known(String applicationId) {
            return Optional.empty();
        }

        @Override
        public Optional<MemoryRecord> memoryGiven(String applicationId) {
            return Optional.empty();
        }

        @Override
        public Optional<JobProgressRecord> progress(String applicationId) {
            return Optional.empty();
        }
    }
}

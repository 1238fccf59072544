// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.rm.StandingClock;
import io.treadle.rm.profile.NoTelemetry;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.junit.jupiter.api.Test;

/** How long a job may be measured counts from when it has tasks. Its ApplicationMaster says so before. */
class MeasuringTimeTest {
    private static final class Measures extends NoTelemetry {
        @Override
        public Optional<ProfileRecord> profile(String applicationId) {
            return Optional.of(new ProfileRecord("job", "", "", 0, ProfileRecord.Phase.PROFILING, 1, List.of(), 1));
        }
    }

    @Test
    void gangThatHasWaitedForLongIsMeasuredWhenItStarts() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(false, "fifo+synergy-tune");
        conf.set("yarn.scheduler.treadle.refuse-too-large", "false");
        StandingClock clock = new StandingClock();
        AtomicInteger rounds = new AtomicInteger();
        AtomicInteger measured = new AtomicInteger();
        try (SchedulerHarness cluster = SchedulerHarness.start(
                conf,
                policy -> new WatchedPolicy(policy, snapshot -> {
                    rounds.incrementAndGet();
                    measured.addAndGet(isMeasured(snapshot) ? 1 : 0);
                }),
                null,
                new Surroundings(clock, System::nanoTime, new Measures(), () -> true, false))) {
            GangSpec spec = SchedulerHarness.gang(1, 1, 1, 512);
            // It has a GPU, and no memory for the gang: YARN refuses asks for what no node has.
            cluster.node(1003, 1, 1, 256);
            MockAM am = cluster.startGang(spec, cluster.node(1001, 0, 8, 8192));
            awaitRounds(cluster, rounds);
            clock.set(100_000);
            awaitRounds(cluster, rounds);
            cluster.node(1002, 1, 8, 8192);
            cluster.awaitRunning(am);
            cluster.awaitTrue("it is measured", () -> {
                cluster.answer(am);
                return measured.get() > 0;
            });
        }
    }

    private static void awaitRounds(SchedulerHarness cluster, AtomicInteger rounds) throws InterruptedException {
        int before = rounds.get();
        cluster.awaitTrue("rounds", () -> {
            cluster.heartbeat();
            return rounds.get() > before + 3;
        });
    }

    private static boolean isMeasured(Snapshot snapshot) {
        return snapshot.jobs().stream().anyMatch(job -> job.running() && job.profiling());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.spec.JobSpec;
import io.treadle.am.web.RunnerCalls.RefusedException;
import io.treadle.core.wire.ProfileServers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A job that may not fail even once gets numbers of workers and servers to be measured, with which it crashes. */
class TriedSizesTest {
    /** They get what they ask for. */
    private static final JobSpec.TaskGroup SERVERS =
            new JobSpec.TaskGroup("ps", 2, 1, 0, 0, List.of(), 6, 1024, 0, 0, "serve", Map.of());

    private final FakeCluster cluster =
            new FakeCluster(FakeCluster.job(List.of(FakeCluster.group("worker", 3, 1, 1), SERVERS), 0, true));

    private final List<String> containers = new ArrayList<>();

    private Optional<ProfileServers.Size> next() {
        return cluster.profiles.isEmpty()
                ? Optional.empty()
                : cluster.profiles
                        .get(cluster.profiles.size() - 1)
                        .servers()
                        .flatMap(ProfileServers::next)
                        .filter(size -> size.workers() + size.servers() > 2);
    }

    /** A worker and a server train until others are to be tried. */
    private ProfileServers.Size startAndMeasureTheFirst() throws RefusedException {
        cluster.start();
        containers.addAll(cluster.grant(1, 1));
        containers.addAll(cluster.grant(2, 1));
        for (int i = 0; i < 60 && next().isEmpty(); i++) {
            cluster.run(10);
        }
        return next().orElseThrow();
    }

    /** The scheduler gives it what is to be tried; all tasks of it train. */
    private ProfileServers.Size tryAnother() throws RefusedException {
        ProfileServers.Size tried = startAndMeasureTheFirst();
        containers.addAll(cluster.grant(1, tried.workers() - 1));
        containers.addAll(cluster.grant(2, tried.servers() - 1));
        containers.forEach(container -> cluster.runner(container).answered = Long.MAX_VALUE);
        cluster.run(4);
        assertEquals(Optional.of(tried), next());
        String note = cluster.master.status().note();
        assertTrue(note.contains("measuring the speed of"), note);
        return tried;
    }

    private void assertGoesOn(ProfileServers.Size without) throws RefusedException {
        assertTrue(cluster.master.outcome().isEmpty());
        assertEquals(0, cluster.saved.orElseThrow().failures());
        assertEquals(2, cluster.master.status().restarts(), "one to the size, and one from it: both are told");
        cluster.run(40);
        assertTrue(cluster.master.outcome().isEmpty());
        assertTrue(cluster.master.status().samplesPerSecond() > 0);
        assertNotEquals(Optional.of(without), next(), "it is not asked for again");
    }

    @Test
    void aTaskThatFailsAtASizeThatIsOnlyTriedIsNoFailureOfTheJob() throws RefusedException {
        ProfileServers.Size tried = tryAnother();
        cluster.finish(containers.get(0), 1, 3, false);
        cluster.run(1);
        assertGoesOn(tried);
    }

    @Test
    void aContainerThatIsLostAtASizeThatIsOnlyTriedIsNone() throws RefusedException {
        ProfileServers.Size tried = tryAnother();
        cluster.lose(containers.get(containers.size() - 1), false);
        cluster.run(1);
        assertGoesOn(tried);
    }

    /** What it has anyway is its own: where it crashes with that, the command is at fault. */
    @Test
    void aTaskThatFailsAtItsOwnSizeEndsTheJob() throws RefusedException {
        startAndMeasureTheFirst();
        cluster.finish(containers.get(0), 1, 3, false);
        assertEquals(1, cluster.saved.orElseThrow().failures());
        assertFalse(cluster.master.outcome().orElseThrow().succeeded());
    }
}

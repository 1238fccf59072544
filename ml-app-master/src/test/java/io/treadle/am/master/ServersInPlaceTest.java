// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.web.RunnerCalls.RefusedException;
import io.treadle.core.wire.ProfileServers;
import io.treadle.core.wire.ServersModel;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A job whose server asks for 4 vcores and has 6. */
class ServersInPlaceTest {
    private FakeCluster cluster = job(true);

    private static FakeCluster job(boolean profiled) {
        return new FakeCluster(FakeCluster.job(
                List.of(FakeCluster.group("worker", 1, 1, 1), FakeCluster.group("ps", 1, 1, 0)), 2, profiled));
    }

    private Optional<ProfileServers> said() {
        return cluster.profiles.get(cluster.profiles.size() - 1).servers();
    }

    /** First its speed over the worker's vcores is measured. */
    private FakeCluster.Runner startServer() throws RefusedException {
        cluster.start();
        cluster.grant(1, 1);
        String server = cluster.grant(2, 1).get(0);
        return cluster.runner(server);
    }

    @Test
    void whatItsServersCanUseIsSaidUntilTheyUseItNoLonger() throws RefusedException {
        FakeCluster.Runner server = startServer();
        cluster.run(180);
        assertEquals(Optional.of(ProfileServers.ofVcores(ServersModel.Mode.SYNC, 12)), said());
        assertEquals(
                "training; each server can use 12 vcores and asks for 4",
                cluster.master.status().note());
        server.vcores = 12;
        server.version++;
        cluster.run(1);
        var resize = cluster.master.status().resizes().stream()
                .filter(entry -> entry.path("containerId").asText().equals(server.container.id()))
                .findFirst()
                .orElseThrow();
        assertEquals(6, resize.path("from").asLong());
        assertEquals(12, resize.path("to").asLong());
        assertEquals("scheduler", resize.path("by").asText());
        // In the first window after that it still uses some of it.
        server.usesCores = 1;
        cluster.run(150);
        assertEquals(Optional.empty(), said());
        assertEquals("training", cluster.master.status().note());
    }

    @Test
    void anotherApplicationMasterKnowsItStill() throws RefusedException {
        FakeCluster.Runner server = startServer();
        cluster.run(180);
        server.usesCores = 4;
        cluster.restartMaster(List.of());
        cluster.run(10);
        assertEquals(Optional.of(ProfileServers.ofVcores(ServersModel.Mode.SYNC, 12)), said());
    }

    @Test
    void serversOfAnotherStartAreMeasuredAnew() throws RefusedException {
        FakeCluster.Runner server = startServer();
        cluster.run(180);
        assertTrue(said().isPresent());
        server.usesCores = 1;
        cluster.lose(server.container.id(), true);
        cluster.run(1);
        FakeCluster.Runner next = cluster.runner(cluster.grant(2, 1).get(0));
        next.usesCores = 3;
        cluster.run(40);
        assertEquals(Optional.empty(), said());
    }

    @Test
    void aJobThatIsNotToBeProfiledKeepsWhatItAsksFor() throws RefusedException {
        cluster = job(false);
        startServer();
        cluster.run(180);
        assertEquals(Optional.empty(), said());
    }
}

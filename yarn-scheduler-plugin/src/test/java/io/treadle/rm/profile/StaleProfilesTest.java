// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ProfileRecord.Point;
import io.treadle.core.wire.ZkPaths;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StaleProfilesTest {
    private static final long NOW = Duration.ofDays(20_000).toMillis();
    private static final int A_LOOK = 3;

    private ConnectedZooKeeper zooKeeper;
    private CuratorFramework client;
    private ProfileStore store;
    private StaleProfiles stale;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new ConnectedZooKeeper();
        client = zooKeeper.client;
        InstantSource clock = InstantSource.fixed(Instant.ofEpochMilli(NOW));
        store = new ProfileStore(client, zooKeeper.access, clock);
        stale = new StaleProfiles(store, clock);
    }

    @AfterEach
    void stop() throws Exception {
        zooKeeper.close();
    }

    private void put(ProfileKey key, long days, double error) throws Exception {
        long updatedMs = NOW - Duration.ofDays(days).toMillis();
        assertTrue(store.put(
                key,
                new ProfileRecord(
                        "job",
                        key.model(),
                        key.gpu(),
                        16,
                        ProfileRecord.Phase.READY,
                        1,
                        List.of(new Point(1, 0, 10, 9, error, 3)),
                        updatedMs,
                        1,
                        Optional.empty())));
    }

    /** Names of which one is the beginning of the other sort in another way as paths. */
    @Test
    void eachIsLookedAtInTurnAndTheOldOnesGoWithTheirPlaces() throws Exception {
        Set<ProfileKey> young = new HashSet<>();
        for (String user : List.of("a", "a-b", "b")) {
            for (String model : List.of("m", "m-2", "n")) {
                ProfileKey old = ProfileKey.of(user, model, "A100", 16);
                // 0.02 has grown to 0.25 after 219 days.
                put(old, user.equals("a-b") ? 210 : 230, 0.02);
                if (user.equals("a-b") || model.equals("n")) {
                    ProfileKey other = ProfileKey.of(user, model, "V100", 16);
                    put(other, 1, 0.02);
                    young.add(other);
                }
                if (user.equals("a-b")) {
                    young.add(old);
                }
            }
        }
        for (int i = 0; i < 5; i++) {
            stale.look(A_LOOK);
        }
        assertEquals(young, store.all().keySet());
        assertNull(client.checkExists().forPath(ZkPaths.PROFILES + "/a/m"), "an empty place is left");
        assertEquals(List.of("V100"), client.getChildren().forPath(ZkPaths.PROFILES + "/b/n"));

        // After the last one it is the first one's turn again.
        put(ProfileKey.of("a", "a", "A100", 16), 1_000, 0.02);
        for (int i = 0; i < 4; i++) {
            stale.look(A_LOOK);
        }
        assertEquals(young, store.all().keySet());
    }

    @Test
    void nothingStoredIsNoFault() throws Exception {
        stale.look(A_LOOK);
        assertEquals(Set.of(), store.all().keySet());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ProfileRecord.Point;
import io.treadle.core.wire.ZkPaths;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What users may store costs ZooKeeper and the ResourceManager a bounded amount. */
class ProfileLimitsTest {
    private static final long NOW = 1_767_000_000_000L;
    private static final int LARGE = 900_000;

    private ConnectedZooKeeper zooKeeper;
    private CuratorFramework client;
    private ProfileStore store;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new ConnectedZooKeeper();
        client = zooKeeper.client;
        store = new ProfileStore(client, zooKeeper.access, InstantSource.fixed(Instant.ofEpochMilli(NOW)));
    }

    @AfterEach
    void stop() throws Exception {
        zooKeeper.close();
    }

    private static ProfileRecord profile(String model) {
        return new ProfileRecord(
                "job",
                model,
                "A100",
                16,
                ProfileRecord.Phase.READY,
                1,
                List.of(new Point(1, 0, 10, 9, 0.01, 3)),
                NOW,
                1,
                Optional.empty());
    }

    private boolean put(String user, String model) throws Exception {
        return store.put(ProfileKey.of(user, model, "A100", 16), profile(model));
    }

    private List<String> models(String user) throws Exception {
        return client.getChildren().forPath(ZkPaths.PROFILES + "/" + user);
    }

    @Test
    void ofOneUserSoManyAreKeptAndNoMore() throws Exception {
        for (int i = 0; i < ProfileStore.MOST_OF_A_USER; i++) {
            assertTrue(put("eve", "m" + i));
        }
        assertFalse(put("eve", "one-more"));
        assertEquals(ProfileStore.MOST_OF_A_USER, models("eve").size());
        assertTrue(put("eve", "m7"), "in place of its own");
        assertTrue(put("ada", "m1"), "others have their own");

        GangSpec job = new GangSpec(
                List.of(new GangSpec.Group("worker", 1, 1, ResourceVector.of(1, 1, 1), List.of())),
                "measured",
                16,
                0,
                false,
                0,
                "");
        store.keep("eve", job, profile("measured"), "A100", Optional.empty());
        assertEquals(ProfileStore.MOST_OF_A_USER, models("eve").size());
        assertTrue(models("eve").contains("measured"), "what a job has measured takes the place of the oldest");
        assertFalse(models("eve").contains("m0"));
        assertTrue(models("eve").contains("m7") && models("eve").contains("m1"));
    }

    /** Sixteen records of almost a megabyte, which is all that ZooKeeper takes. */
    @Test
    void answerEndsWhereRecordsAreLargeAndGoesOnInTheNext() throws Exception {
        for (int i = 0; i < 16; i++) {
            String model = "m" + (char) ('a' + i);
            String json = profile(model).toJson();
            String large = json.substring(0, json.lastIndexOf('}')) + ",\"x\":\"" + "y".repeat(LARGE) + "\"}";
            client.create()
                    .creatingParentsIfNeeded()
                    .forPath(
                            ProfileKey.of("eve", model, "A100", 16).path(),
                            (i == 2 ? "no record" + large : large).getBytes(StandardCharsets.UTF_8));
        }
        ProfileStore.Found first = store.of(user -> true, 0, 1_000);
        assertTrue(first.more());
        assertEquals(1 + ProfileStore.MOST_CHARACTERS / LARGE, first.looked());
        assertEquals(first.looked() - 1, first.profiles().size(), "one cannot be read");
        ProfileStore.Found rest = store.of(user -> true, first.looked(), 1_000);
        assertFalse(rest.more());
        assertEquals(16, first.looked() + rest.looked());
        assertEquals(15, first.profiles().size() + rest.profiles().size());
        assertEquals(2, store.of(user -> true, 0, 2).looked());
        assertTrue(store.of(user -> true, 0, 2).more());
    }
}

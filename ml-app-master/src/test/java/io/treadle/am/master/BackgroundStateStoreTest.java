// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackgroundStateStoreTest {
    private static SavedState state() {
        FakeCluster cluster = new FakeCluster(FakeCluster.job(2, 1, false));
        cluster.start();
        cluster.grant(1, 2);
        return cluster.saved.orElseThrow();
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.call()) {
            if (System.nanoTime() > deadline) {
                fail(what + " did not come within 60 s");
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Test
    void whatCouldNotBeWrittenIsTriedAgain(@TempDir Path directory) throws Exception {
        Staging staging = new Staging(new Configuration(), new org.apache.hadoop.fs.Path(directory.toUri()));
        Path file = directory.resolve("am-state.json");
        Path inTheWay = Files.createFile(Files.createDirectory(file).resolve("x"));
        SavedState state = state();
        try (BackgroundStateStore store = new BackgroundStateStore(staging)) {
            store.save(state);
            await("the first attempt", () -> Files.exists(directory.resolve("am-state.json.tmp")));
            Files.delete(inTheWay);
            Files.delete(file);
            await("the state", () -> Files.exists(file));
        }
        assertEquals(Optional.of(state), staging.state().map(SavedState::fromJson));
    }
}

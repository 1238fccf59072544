// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.token.SecretManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFileTest {
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
    void attemptsThatFailBecomeRare(@TempDir Path directory) throws Exception {
        Staging staging = new Staging(new Configuration(), new org.apache.hadoop.fs.Path(directory.toUri()));
        Files.createFile(
                Files.createDirectory(directory.resolve("am-state.json")).resolve("in-the-way"));
        List<Long> attempts = new CopyOnWriteArrayList<>();
        try (StateFile store = new StateFile(staging)) {
            store.save(() -> {
                attempts.add(System.nanoTime());
                return "{}";
            });
            await("three attempts", () -> attempts.size() >= 3);
        }
        assertTrue(attempts.get(1) - attempts.get(0) >= TimeUnit.MILLISECONDS.toNanos(900));
        assertTrue(attempts.get(2) - attempts.get(1) >= TimeUnit.MILLISECONDS.toNanos(1_900));
    }

    @Test
    void expiredTokensAreKnownByTheWordsOfHadoop() {
        for (String words : List.of(
                "token (HDFS_DELEGATION_TOKEN token 12 for alice) is expired, current time: 2026-11-26 10:00:00",
                "token (token for alice: HDFS_DELEGATION_TOKEN owner=alice, sequenceNumber=1) can't be found in cache",
                "Token has expired")) {
            assertTrue(ExpiredToken.isNamedBy(words), words);
            assertTrue(ExpiredToken.isNamedBy(new IOException("write failed", new IOException(words))), words);
        }
        assertTrue(ExpiredToken.isNamedBy(new IOException(new SecretManager.InvalidToken("no"))));
        assertFalse(ExpiredToken.isNamedBy("exit status 143: killed by the node"));
        assertFalse(ExpiredToken.isNamedBy(new IOException("no space left")));
    }

    /** Of Hadoop's file systems some throw what is no IOException. */
    @Test
    void whateverIsThrownItIsTriedAgain(@TempDir Path directory) throws Exception {
        Staging staging = new Staging(new Configuration(), new org.apache.hadoop.fs.Path(directory.toUri()));
        AtomicInteger attempts = new AtomicInteger();
        try (StateFile store = new StateFile(staging)) {
            store.save(() -> {
                if (attempts.getAndIncrement() == 0) {
                    throw new IllegalStateException("a name does not resolve");
                }
                return "{\"x\": 1}";
            });
            await("the state", () -> Files.exists(directory.resolve("am-state.json")));
        }
        assertEquals(2, attempts.get());
    }

    @Test
    void whatCouldNotBeWrittenIsTriedAgain(@TempDir Path directory) throws Exception {
        Staging staging = new Staging(new Configuration(), new org.apache.hadoop.fs.Path(directory.toUri()));
        Path file = directory.resolve("am-state.json");
        Path inTheWay = Files.createFile(Files.createDirectory(file).resolve("x"));
        try (StateFile store = new StateFile(staging)) {
            store.save(() -> "{\"x\": 1}");
            await("the first attempt", () -> Files.exists(directory.resolve("am-state.json.tmp")));
            Files.delete(inTheWay);
            Files.delete(file);
            await("the state", () -> Files.exists(file));
        }
        assertEquals(Optional.of("{\"x\": 1}"), staging.state());
    }
}

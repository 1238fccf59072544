// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.process;

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

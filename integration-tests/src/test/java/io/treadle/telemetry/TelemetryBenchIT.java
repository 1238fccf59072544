// SPDX-License-Identifier: Apache-2.0
package io.treadle.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.demo.DemoException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("alone")
class TelemetryBenchIT {
    /** Of so short a time the figures say nothing, but that they are there. */
    @Test
    void everySecondARecordIsWritten(@TempDir Path directory) throws Exception {
        TelemetryResult result = new TelemetryBench(2, 2, 1, 5, directory).run();
        // One a second, and what is written until it has heard that the time is over.
        assertTrue(result.records() >= 1 && result.records() <= 12, "records: " + result.records());
        TelemetryResult.Part devices = result.parts().get(0);
        TelemetryResult.Part zooKeeper = result.parts().get(2);
        assertTrue(
                devices.percent() > 0 && zooKeeper.percent() > 0, result.rows().toString());
        assertEquals(
                0,
                result.idle().threads().keySet().stream()
                        .filter(name -> name.startsWith("treadle") || name.contains("SendThread"))
                        .count(),
                "threads of the plugin's in the process without: "
                        + result.idle().threads());
        String log = Files.readString(directory.resolve("node.log"));
        assertFalse(log.contains("only observed"), "the plugin that warms up still holds the GPUs: " + log);
    }

    @Test
    void processThatFailsSaysWhere(@TempDir Path directory) {
        DemoException failed =
                assertThrows(DemoException.class, () -> new TelemetryBench(8, -1, 1, 2, directory).run());
        assertTrue(String.valueOf(failed.getMessage()).contains("node.log says why"), failed.getMessage());
    }

    @Test
    void helpIsPrinted(@TempDir Path directory) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TelemetryOptions options = new TelemetryOptions(8, 2, directory, true);
        assertEquals(0, TelemetryMain.run(options, new PrintStream(out, true, StandardCharsets.UTF_8), 1, 1));
        assertEquals(TelemetryOptions.USAGE, out.toString(StandardCharsets.UTF_8));
    }
}

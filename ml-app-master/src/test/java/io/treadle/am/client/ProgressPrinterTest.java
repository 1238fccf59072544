// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Instant;
import java.time.InstantSource;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.Test;

class ProgressPrinterTest {
    private static final String PREFIX = FakeGateway.ID + "  01:01  ";

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(err, true, UTF_8);
    private final ProgressPrinter printer =
            new ProgressPrinter(new Console(stream, stream, false), InstantSource.fixed(Instant.ofEpochMilli(62_000)));

    private void see(String diagnostics, float progress, String json) {
        ApplicationReport report =
                FakeGateway.report(YarnApplicationState.RUNNING, FinalApplicationStatus.UNDEFINED, diagnostics);
        report.setProgress(progress);
        printer.seen(JobStatus.of(report, MasterStatus.parse(json)));
    }

    @Test
    void oneLinePerChange() {
        see("Gang 0/2: 1 GPU free", 0, "{\"state\":\"gathering\",\"note\":\"waiting for 2 workers\"}");
        see("Gang 0/2: 1 GPU free", 0, "{\"state\":\"gathering\",\"note\":\"waiting for 2 workers\"}");
        see("", 0, "{\"state\":\"gathering\",\"note\":\"waiting for 2 workers\"}");
        see(
                "",
                0.1f,
                "{\"state\":\"running\",\"samples\":12345,\"totalSamples\":100000,\"samplesPerSecond\":1412.34,"
                        + "\"workers\":[{},{}],\"resizes\":[{}],\"note\":\"profiling 3 vcores\"}");
        see("", 0.11f, "{\"state\":\"running\",\"samples\":13000,\"note\":\"profiling 3 vcores\"}");
        see("", 0.15f, "no page just now");
        see("", 0.2f, "{\"state\":\"running\",\"samples\":20000,\"workers\":[{}]}");
        assertEquals(
                PREFIX + "waiting, Gang 0/2: 1 GPU free\n" + PREFIX + "waiting, waiting for 2 workers\n" + PREFIX
                        + "running, 12 %, 12,345 of 100,000 samples, 1,412.3/s, 2 workers, 1 resize, profiling 3 vcores\n"
                        + PREFIX + "running, 20,000 samples, 0.0/s, 1 worker\n",
                err.toString(UTF_8));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.Test;

/** What the client makes of texts that others wrote. */
class TextsTest {
    @Test
    void causesLoseTheirWrapping() {
        assertEquals(
                "no route", Causes.message(new IOException("java.net.ConnectException: no route\n\tat x.y(Z.java)")));
        assertEquals("inner", Causes.message(new RuntimeException(null, new IOException("inner"))));
        assertEquals("IOException", Causes.message(new IOException()));
        assertEquals(
                "too large",
                Causes.message(new IOException("Failed to submit application_1_0001 to YARN : too large")));
    }

    @Test
    void masterStatusReadsWhatItKnows() {
        MasterStatus status = MasterStatus.parse(
                        "{\"state\":\"running\",\"samples\":7,\"workers\":[{},{}],\"resizes\":[{}],\"later\":1}")
                .orElseThrow();
        assertEquals(7, status.samples());
        assertEquals("", status.note());
        assertEquals("", status.energy());
        assertEquals(
                "12.3 kJ",
                MasterStatus.parse("{\"state\":\"running\",\"energy\":{\"joules\":12345,\"text\":\"12.3 kJ\"}}")
                        .orElseThrow()
                        .energy());
        assertEquals(0, status.totalSamples());
        assertEquals(2, status.workers());
        assertEquals(1, status.resizes());
        assertEquals(Optional.empty(), MasterStatus.parse("<html>Redirecting</html>"));
        assertEquals(Optional.empty(), MasterStatus.parse("[]"));
        assertEquals(Optional.empty(), MasterStatus.parse(""));
    }

    @Test
    void schedulersReason() {
        assertEquals(
                Optional.of(new JobReason("4 GPUs free", Optional.empty())),
                JobReason.parse("{\"reason\":\"4 GPUs free\",\"startMs\":\"soon\"}"));
        assertEquals(Optional.empty(), JobReason.parse("{\"startMs\":1}"));
        assertEquals(Optional.empty(), JobReason.parse("{\"reason\":null}"));
        assertEquals(Optional.empty(), JobReason.parse("nothing"));
    }

    @Test
    void schedulersReasonTellsWhenOnTheClockOfWhoReadsIt() {
        ZonedDateTime now = ZonedDateTime.of(2026, 11, 25, 23, 30, 0, 0, ZoneId.of("Europe/Berlin"));
        long nowMs = now.toInstant().toEpochMilli();
        JobReason soon = JobReason.parse("{\"reason\":\"not admitted\",\"startMs\":" + (nowMs + 14 * 60_000) + "}")
                .orElseThrow();
        assertEquals(Optional.of("Starts about 23:44 if nothing else arrives."), soon.start(now));
        JobReason tomorrow = new JobReason("not admitted", Optional.of(nowMs + 31 * 60_000));
        assertEquals(Optional.of("Starts about 2026-11-26 00:01 if nothing else arrives."), tomorrow.start(now));
        assertEquals(Optional.empty(), new JobReason("unknown", Optional.empty()).start(now));
        assertEquals(Optional.empty(), new JobReason("passed", Optional.of(nowMs - 1)).start(now));
    }

    @Test
    void trackingUrlsEndInASlash() {
        Configuration conf = new Configuration();
        conf.set("yarn.resourcemanager.webapp.address", "rm.example:8088");
        assertEquals(Optional.of("http://rm:8088/proxy/a/"), TrackingUrl.of(report("http://rm:8088/proxy/a"), conf));
        assertEquals(
                Optional.of("http://rm.example:8088/proxy/a/"),
                TrackingUrl.of(report("http://localhost:0/proxy/a/"), conf));
        assertEquals(Optional.empty(), TrackingUrl.of(report("N/A"), conf));
    }

    private static ApplicationReport report(String url) {
        ApplicationReport report =
                FakeGateway.report(YarnApplicationState.RUNNING, FinalApplicationStatus.UNDEFINED, "");
        report.setTrackingUrl(url);
        return report;
    }

    @Test
    void clocks() {
        assertEquals("00:00", Durations.clock(-5));
        assertEquals("59:59", Durations.clock(3_599_999));
        assertEquals("1:00:00", Durations.clock(3_600_000));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.OptionalDouble;
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

    private static ScheduledJob scheduled(String json) throws IOException {
        return ScheduledJob.of(new ObjectMapper().readTree(json));
    }

    @Test
    void schedulersReason() throws IOException {
        ScheduledJob told = scheduled("{\"reason\":\"4 GPUs free\",\"startMs\":\"soon\",\"samplesPerSecond\":2.5}");
        assertEquals("4 GPUs free", told.reason());
        assertEquals(Optional.empty(), told.startMs());
        assertEquals(OptionalDouble.of(2.5), told.samplesPerSecond());
        assertEquals("", scheduled("{\"startMs\":1}").reason());
        assertEquals(OptionalDouble.empty(), scheduled("{\"reason\":\"x\"}").samplesPerSecond());
    }

    @Test
    void schedulersReasonTellsWhenOnTheClockOfWhoReadsIt() throws IOException {
        ZonedDateTime now = ZonedDateTime.of(2026, 11, 25, 23, 30, 0, 0, ZoneId.of("Europe/Berlin"));
        long nowMs = now.toInstant().toEpochMilli();
        assertEquals(
                Optional.of("Starts about 23:44 if nothing else arrives."),
                scheduled("{\"startMs\":" + (nowMs + 14 * 60_000) + "}").start(now));
        assertEquals(
                Optional.of("Starts about 2026-11-26 00:01 if nothing else arrives."),
                scheduled("{\"startMs\":" + (nowMs + 31 * 60_000) + "}").start(now));
        assertEquals(Optional.empty(), scheduled("{}").start(now));
        assertEquals(
                Optional.empty(), scheduled("{\"startMs\":" + (nowMs - 1) + "}").start(now));
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

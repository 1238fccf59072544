// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.rm.hadooptests.Comparison.Repeated;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The comparison itself, which only a profile runs, is checked in every build. */
class ComparisonTest {
    @Test
    void oneFailureThatDoesNotComeAgainIsNotWorse() {
        assertFalse(new Repeated(6, 5).isWorse());
        assertTrue(new Repeated(6, 4).isWorse());
        assertTrue(new Repeated(6, 0).isWorse());
    }

    @Test
    void testThatFailsNowAndThenOnStockMayOnOurs() {
        assertFalse(new Repeated(4, 3).isWorse());
        assertTrue(new Repeated(4, 0).isWorse());
        assertFalse(new Repeated(0, 0).isWorse());
    }

    @Test
    void reportOfATestJvmIsRead(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(
                directory.resolve("report.tsv"),
                """
                PASSED\t[class:C]/[method:a()]\t
                FAILED\t[class:C]/[method:b()]\tjava.lang.AssertionError: no\\n  at C.b(C.java:1)
                SKIPPED\t[class:C]/[method:c()]\tnot today
                END\t7
                """);
        TestReport report = TestReport.read(file, Duration.ofSeconds(1));
        assertEquals(
                Map.of(
                        "[class:C]/[method:a()]", Outcome.PASSED,
                        "[class:C]/[method:b()]", Outcome.FAILED,
                        "[class:C]/[method:c()]", Outcome.SKIPPED),
                report.tests());
        assertEquals("java.lang.AssertionError: no", report.firstLine("[class:C]/[method:b()]"));
        assertEquals("did not end", report.firstLine("[class:C]/[method:d()]"));
        assertEquals(Optional.of(7), report.redirected());
    }

    @Test
    void jvmThatDiedIsToldFromOneThatEnded(@TempDir Path directory) throws IOException {
        TestReport nothing = TestReport.read(directory.resolve("none.tsv"), Duration.ZERO);
        assertEquals(Optional.empty(), nothing.redirected());
        assertEquals(Map.of(), nothing.tests());
    }
}

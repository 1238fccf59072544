// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.rm.hadooptests.Finding.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The comparison itself, which only a profile runs, is checked in every build. */
class ComparisonTest {
    @Test
    void oneFailureThatDoesNotComeAgainIsNotWorse() {
        assertFalse(new Repeated(6, 6, 5).isWorse());
        assertTrue(new Repeated(6, 6, 4).isWorse());
        assertTrue(new Repeated(6, 6, 0).isWorse());
    }

    @Test
    void testThatFailsNowAndThenOnStockMayOnOurs() {
        assertFalse(new Repeated(6, 4, 3).isWorse());
        assertTrue(new Repeated(6, 4, 0).isWorse());
        assertFalse(new Repeated(3, 0, 0).isWorse());
    }

    @Test
    void reportOfATestJvmIsRead(@TempDir Path directory) throws IOException {
        TestReport report = read(
                directory,
                """
                PLANNED\t[class:C]/[method:a()]\t
                PLANNED\t[class:C]/[method:b()]\t
                PLANNED\t[class:C]/[method:c()]\t
                STARTED\t[class:C]/[method:a()]\t
                PASSED\t[class:C]/[method:a()]\t
                STARTED\t[class:C]/[method:b()]\t
                FAILED\t[class:C]/[method:b()]\tjava.lang.AssertionError: no\\n  at C.b(C.java:1)
                SKIPPED\t[class:C]/[method:c()]\tnot today
                END\t7
                """,
                Outcome.DIED);
        assertEquals(
                Map.of(
                        "[class:C]/[method:a()]", Outcome.PASSED,
                        "[class:C]/[method:b()]", Outcome.FAILED,
                        "[class:C]/[method:c()]", Outcome.SKIPPED),
                report.tests());
        assertEquals("java.lang.AssertionError: no", report.firstLine("[class:C]/[method:b()]"));
        assertEquals("did not run", report.firstLine("[class:C]/[method:d()]"));
        assertEquals(7, report.redirected());
        assertEquals(List.of(), report.left());
    }

    @Test
    void testInWhichTheJvmHangsOrDiesIsNamedAndTheRestIsLeft(@TempDir Path directory) throws IOException {
        String report =
                """
                PLANNED\t[class:C]/[test-template:a(int)]\t
                PLANNED\t[class:C]/[test-template:b(int)]\t
                PLANNED\t[class:C]/[method:c()]\t
                PLANNED\t[class:C]/[method:d()]\t
                STARTED\t[class:C]/[test-template:a(int)]\t
                STARTED\t[class:C]/[test-template:a(int)]/[test-template-invocation:#1]\t
                PASSED\t[class:C]/[test-template:a(int)]/[test-template-invocation:#1]\t
                DONE\t[class:C]/[test-template:a(int)]\t
                STARTED\t[class:C]/[method:c()]\t
                """;
        for (Outcome broken : List.of(Outcome.HUNG, Outcome.DIED)) {
            TestReport read = read(directory, report, broken);
            assertEquals(
                    Map.of(
                            "[class:C]/[test-template:a(int)]/[test-template-invocation:#1]",
                            Outcome.PASSED,
                            "[class:C]/[method:c()]",
                            broken),
                    read.tests());
            assertEquals(broken + ": why", read.firstLine("[class:C]/[method:c()]"));
            assertEquals(List.of("[class:C]/[test-template:b(int)]", "[class:C]/[method:d()]"), read.left());
        }
    }

    @Test
    void jvmThatRanNoTestIsNoSuccess(@TempDir Path directory) throws IOException {
        TestReport nothing = TestReport.read(directory.resolve("none.tsv"), Duration.ZERO, Outcome.DIED, "why");
        assertEquals(List.of(Outcome.DIED), List.copyOf(nothing.tests().values()));
    }

    @Test
    void methodsAreNamedAsPeopleKnowThem() {
        assertEquals("a", TestIds.method("[engine:junit-jupiter]/[class:C]/[method:a()]"));
        assertEquals(
                "b#2",
                TestIds.method(
                        "[engine:e]/[class:C]/[test-template:b(java.lang.String)]/[test-template-invocation:#2]"));
        assertEquals("C", TestIds.method("[engine:e]/[class:C]"));
    }

    @Test
    void rowsOfThePageAreKept(@TempDir Path directory) throws IOException {
        Row row = new Row(
                "abc1234-dirty",
                new Row.Side(5, 7, 61),
                new Row.Side(6, 7, 70),
                9,
                List.of(
                        new Finding("TestX.a", Verdict.NOW_AND_THEN, "expected: <1> but was: <2>"),
                        new Finding("TestX.b", Verdict.AS_ON_STOCK, "")));
        row.save(directory.resolve("row.tsv"));
        assertEquals(row, Row.read(directory.resolve("row.tsv")));
    }

    private static TestReport read(Path directory, String report, Outcome broken) throws IOException {
        Path file = Files.writeString(directory.resolve("report.tsv"), report);
        return TestReport.read(file, Duration.ofSeconds(1), broken, "why");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What passes on CapacityScheduler passes on TreadleScheduler: Hadoop's own tests, one class after the other. Takes hours, so
 * only the Maven profile {@code hadoop-tests} runs it. {@code -Dtreadle.hadoop.tests=TestRMRestart,preemption} chooses classes
 * and groups, {@code -Dtreadle.hadoop.tests.minutes=30} says how long a class may take on one scheduler.
 */
class HadoopOwnTestsRun {
    @Test
    void whatPassesOnStockPassesOnOurs() throws Exception {
        Path home = Path.of("target", "hadoop-tests").toAbsolutePath();
        List<OwnTest> chosen = OwnTests.matching(System.getProperty("treadle.hadoop.tests", ""));
        TestJvm jvm = new TestJvm(home, Duration.ofMinutes(Integer.getInteger("treadle.hadoop.tests.minutes", 20)));
        KnownDifferences known = KnownDifferences.read();
        Progress progress = new Progress(chosen);
        List<Comparison> comparisons = new ArrayList<>();
        List<String> table = new ArrayList<>(List.of(ResultPage.HEADER));
        System.out.println(ResultPage.HEADER);
        for (OwnTest test : chosen) {
            System.out.println(progress.next());
            Instant start = Instant.now();
            Comparison comparison = Comparison.of(jvm, test, known);
            progress.took(Duration.between(start, Instant.now()));
            comparisons.add(comparison);
            ResultPage.lines(comparison).forEach(System.out::println);
            table.addAll(ResultPage.lines(comparison));
            // A run that is cut short leaves what it has found.
            Files.write(home.resolve("table.txt"), table);
            Files.write(home.resolve("result.md"), ResultPage.markdown(comparisons));
        }
        assertEquals(
                List.of(),
                comparisons.stream()
                        .filter(Comparison::isWorse)
                        .map(c -> c.test().name())
                        .toList(),
                "worse on TreadleScheduler; what each run left is in " + home);
    }
}

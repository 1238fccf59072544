// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What passes on CapacityScheduler passes on TreadleScheduler: Hadoop's own tests, one class after the other. Takes hours, so
 * only the Maven profile {@code hadoop-tests} runs it. {@code -Dtreadle.hadoop.tests=TestRMRestart,preemption} chooses classes
 * and groups, {@code -Dtreadle.hadoop.tests.minutes=30} says how long a class may take on one scheduler.
 */
class HadoopOwnTestsRun {
    private static final String ROW = "row.tsv";

    @Test
    void whatPassesOnStockPassesOnOurs() throws Exception {
        Path home = Path.of("target", "hadoop-tests").toAbsolutePath();
        List<OwnTest> chosen = OwnTests.matching(System.getProperty("treadle.hadoop.tests", ""));
        TestJvm jvm = new TestJvm(home, Duration.ofMinutes(Integer.getInteger("treadle.hadoop.tests.minutes", 20)));
        KnownDifferences known = KnownDifferences.read();
        String commit = RunFacts.commit();
        Progress progress = new Progress(chosen);
        List<String> worse = new ArrayList<>();
        System.out.println(ResultPage.HEADER);
        for (OwnTest test : chosen) {
            System.out.println(progress.next());
            Instant start = Instant.now();
            jvm.forget(test.name());
            Row row = Row.of(Comparison.of(jvm, test, known), commit);
            progress.took(Duration.between(start, Instant.now()));
            ResultPage.lines(test.name(), row).forEach(System.out::println);
            if (row.isWorse()) {
                worse.add(test.name());
            }
            row.save(home.resolve(test.name()).resolve(ROW));
            // A run that is cut short leaves what it has found, beside what earlier ones found of other classes.
            Files.write(home.resolve("result.md"), ResultPage.markdown(RunFacts.line(), rows(home)));
        }
        assertEquals(List.of(), worse, "worse on TreadleScheduler; what each run left is in " + home);
    }

    private static Map<OwnTest, Row> rows(Path home) throws IOException {
        Map<OwnTest, Row> rows = new LinkedHashMap<>();
        for (OwnTest test : OwnTests.all()) {
            Path file = home.resolve(test.name()).resolve(ROW);
            if (Files.exists(file)) {
                rows.put(test, Row.read(file));
            }
        }
        return rows;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What passes on CapacityScheduler passes on TreadleScheduler: Hadoop's own tests, one class after the other. Takes
 * minutes, so only the Maven profile {@code hadoop-tests} runs it. {@code -Dtreadle.hadoop.tests=Class,Class} chooses
 * other classes of that package than these six.
 */
class HadoopOwnTestsRun {
    private static final String PACKAGE = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.";
    private static final List<String> CLASSES = List.of(
            "TestCapacityScheduler",
            "TestCapacitySchedulerApps",
            "TestCapacitySchedulerNodes",
            "TestCapacitySchedulerQueues",
            "TestCapacitySchedulerAsyncScheduling",
            "TestCapacitySchedulerNewQueueAutoCreation");

    @Test
    void whatPassesOnStockPassesOnOurs() throws Exception {
        Path home = Path.of("target", "hadoop-tests").toAbsolutePath();
        TestJvm jvm = new TestJvm(home);
        List<String> table = new ArrayList<>();
        List<String> worse = new ArrayList<>();
        say(table, Comparison.HEADER);
        String chosen = System.getProperty("treadle.hadoop.tests", String.join(",", CLASSES));
        for (String name : chosen.split(",")) {
            Comparison comparison = Comparison.of(jvm, PACKAGE + name);
            comparison.lines().forEach(line -> say(table, line));
            worse.addAll(comparison.worse());
        }
        Files.write(home.resolve("table.txt"), table);
        assertEquals(List.of(), worse, "worse on TreadleScheduler; what each run left is in " + home);
    }

    private static void say(List<String> table, String line) {
        System.out.println(line);
        table.add(line);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Traces;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetsTest {
    private static final int JOBS = 10_000;
    private static final double MB_PER_MIB = 1.048576;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @Test
    void sizesAndRatesAreThoseThatAreSaid() {
        Datasets datasets = new Datasets(30, 7);
        List<Double> sizes = new ArrayList<>();
        List<Double> rates = new ArrayList<>();
        for (int job = 0; job < JOBS; job++) {
            int gpus = 1 + job % 8;
            int seconds = 1 + job;
            String columns = datasets.next(gpus, seconds);
            if (!columns.equals(",")) {
                double megabytes = Double.parseDouble(columns.substring(0, columns.indexOf(','))) * MB_PER_MIB;
                double epochs = Double.parseDouble(columns.substring(columns.indexOf(',') + 1));
                sizes.add(megabytes);
                rates.add(megabytes * epochs / seconds / gpus);
            }
        }
        // Three standard deviations of 10,000 draws of which 30 % are to read: √(10,000 × 0.3 × 0.7) × 3 = 137.
        assertEquals(3000, sizes.size(), 137, "seed 7");
        sizes.sort(null);
        rates.sort(null);
        assertTrue(sizes.get(0) > 1299 && sizes.get(sizes.size() - 1) < 555_001, sizes::toString);
        assertTrue(rates.get(0) > 7.8 && rates.get(rates.size() - 1) < 500.1, rates::toString);
        // Medians of logarithmic scales: √(1300 × 555,000) = 26,860 and 62.5. Half a tenth of 3,000 ranks away is
        // e^0.3.
        assertEquals(1, sizes.get(sizes.size() / 2) / 26_860, 0.3, "seed 7");
        assertEquals(1, rates.get(rates.size() / 2) / 62.5, 0.2, "seed 7");
    }

    @Test
    void theJobsAreTheSameWhetherTheyReadOrNot() throws Exception {
        Generation generation = Generation.draw(new Generation.Request(
                "philly", 500, 42, Optional.empty(), OptionalDouble.empty(), OptionalDouble.empty()));
        Path dry = directory.resolve("dry.csv");
        Path wet = directory.resolve("wet.csv");
        generation.write(dry, written -> {});
        generation.write(wet, OptionalDouble.of(50), 42, written -> {});
        List<String> rows = Files.readAllLines(dry);
        List<String> read = Files.readAllLines(wet);
        assertEquals(rows.get(0) + ",dataset_mib,epochs", read.get(0));
        for (int i = 1; i < rows.size(); i++) {
            assertTrue(read.get(i).startsWith(rows.get(i) + ","), read.get(i));
        }
        Path cluster = Files.writeString(
                directory.resolve("c.yaml"),
                "treadle-cluster: 1\nsharing: cpu-and-memory\nnodes: [{name: n, count: 300, gpus: 8, vcores: 24,"
                        + " memory: 500Gi, storageMBps: 500}]\n");
        List<TraceJob> jobs = Traces.read("auto", wet, ClusterReader.read(cluster.toString()));
        long reading = jobs.stream().filter(job -> job.profile().isPresent()).count();
        assertTrue(reading > 200 && reading < 300, "seed 42: " + reading);
    }
}

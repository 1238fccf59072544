// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.energy;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What others have measured on real cards and published, where it lies beside this checkout. */
final class PublicMeasurements {
    private static final Path SHARED =
            Path.of(System.getProperty("treadle.checkout", "..")).resolve("../shared/data/energy");

    /** Exponents of the time's capped part by GPU model, as found from all measurements of the model. */
    private static final Map<String, Double> EXPONENTS = Map.of("v100", 3.0, "a40", 4.0, "p100", 3.5);

    static final int GPUS_OF_A_NODE = 8;

    private PublicMeasurements() {}

    /** One network with one optimizer on one GPU model, at many caps and batch sizes. */
    record Workload(String gpu, List<GpuSample> samples) {
        double exponent() {
            return EXPONENTS.getOrDefault(gpu, Double.NaN);
        }

        Map<Long, List<GpuSample>> byBatch() {
            Map<Long, List<GpuSample>> groups = new TreeMap<>();
            samples.forEach(s ->
                    groups.computeIfAbsent(s.batch(), b -> new ArrayList<>()).add(s));
            return groups;
        }
    }

    /**
     * Zeus's power traces (github.com/ml-energy/zeus, Apache-2.0). Time is of an epoch there: for an iteration of b samples
     * it counts b-fold, in units of which nothing here depends.
     */
    static Map<String, Workload> zeus() {
        Map<String, Workload> workloads = new TreeMap<>();
        for (String gpu : EXPONENTS.keySet()) {
            for (Map<String, String> row : rows("zeus_summary_power_" + gpu + ".csv")) {
                String name = String.join(" ", gpu, row.get("dataset"), row.get("network"), row.get("optimizer"));
                long batch = Long.parseLong(row.get("batch_size"));
                workloads
                        .computeIfAbsent(name, n -> new Workload(gpu, new ArrayList<>()))
                        .samples()
                        .add(new GpuSample(
                                batch,
                                Double.parseDouble(row.get("power_limit")),
                                Double.parseDouble(row.get("time_per_epoch")) * batch,
                                Double.parseDouble(row.get("average_power"))));
            }
        }
        return workloads;
    }

    /** ElasticFlow's iterations per second over A100s (github.com/pkusys/ElasticFlow, Apache-2.0). */
    static List<ScaleSample> elasticFlow(String model) {
        List<ScaleSample> samples = new ArrayList<>();
        for (Map<String, String> row : rows("elasticflow_throughputs_A100/" + model + ".csv")) {
            double global = Double.parseDouble(row.get("global_batch_size"));
            row.forEach((column, value) -> {
                if (!column.equals("global_batch_size") && !value.isEmpty() && Double.parseDouble(value) > 0) {
                    int gpus = Integer.parseInt(column);
                    samples.add(new ScaleSample(gpus, global / gpus, 1 / Double.parseDouble(value)));
                }
            });
        }
        return samples;
    }

    private static List<Map<String, String>> rows(String file) {
        assumeTrue(Files.isDirectory(SHARED), () -> "the public measurements are not beside this checkout: " + SHARED);
        try {
            List<String> lines = Files.readAllLines(SHARED.resolve(file));
            String[] header = lines.get(0).split(",");
            List<Map<String, String>> rows = new ArrayList<>();
            for (String line : lines.subList(1, lines.size())) {
                String[] values = line.split(",", -1);
                Map<String, String> row = new HashMap<>();
                for (int i = 0; i < header.length; i++) {
                    row.put(header[i], values[i]);
                }
                rows.add(row);
            }
            return rows;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

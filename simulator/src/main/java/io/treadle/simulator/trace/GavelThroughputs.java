// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.input.Table;
import io.treadle.simulator.input.TextFiles;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many steps a second a type of job makes alone on so many V100, the GPU in whose time Gavel states its jobs: from
 * Gavel's {@code simulation_throughputs.json}, or a table {@code gavel_isolated_throughputs.csv} of
 * {@code gpu_type,job_type,scale_factor,steps_per_s}.
 */
final class GavelThroughputs {
    private static final String GPU = "v100";
    private static final List<String> NAMES = List.of(
            "gavel_isolated_throughputs.csv.gz", "gavel_isolated_throughputs.csv", "simulation_throughputs.json");
    /** In Gavel's tree the table is three directories above the traces. */
    private static final int LEVELS = 4;

    private static final Pattern KEY = Pattern.compile("\\('(.*)', (\\d{1,9})\\)");

    private record Key(String type, long gpus) {}

    private final Path file;
    private final Map<Key, Double> stepsPerSecond = new HashMap<>();

    private GavelThroughputs(Path file) {
        this.file = file;
    }

    /**
     * The table in the trace's directory or one above it.
     *
     * @throws InputException if there is none or it cannot be used
     */
    static GavelThroughputs near(Path trace) {
        Path directory = trace.toAbsolutePath().getParent();
        for (int level = 0; level < LEVELS && directory != null; level++) {
            for (String name : NAMES) {
                Path file = directory.resolve(name);
                if (Files.isRegularFile(file)) {
                    GavelThroughputs speeds = new GavelThroughputs(file);
                    if (name.endsWith(".json")) {
                        speeds.readJson();
                    } else {
                        speeds.readTable();
                    }
                    return speeds;
                }
            }
            directory = directory.getParent();
        }
        throw new InputException(trace + " states its jobs in steps, and there is no table of their speeds: none of "
                + String.join(", ", NAMES) + " is in its directory or above it.");
    }

    Path file() {
        return file;
    }

    /** Empty where it is not known or no speed at all. */
    OptionalDouble stepsPerSecond(String type, long gpus) {
        Double speed = stepsPerSecond.get(new Key(type, gpus));
        return speed == null ? OptionalDouble.empty() : OptionalDouble.of(speed);
    }

    private void put(String type, long gpus, double speed) {
        if (speed > 0 && speed <= 1e12) {
            stepsPerSecond.put(new Key(type, gpus), speed);
        }
    }

    private void readTable() {
        Table.withHeader(file).forEach(row -> {
            if (row.text("gpu_type").equals(GPU)) {
                put(
                        row.text("job_type"),
                        row.whole("scale_factor", 1, Shapes.MOST_GPUS),
                        row.number("steps_per_s", 0, 1e12));
            }
        });
    }

    private void readJson() {
        try (Reader text = TextFiles.open(file)) {
            JsonNode ofGpu = new ObjectMapper().readTree(text).path(GPU);
            ofGpu.properties().forEach(entry -> {
                Matcher key = KEY.matcher(entry.getKey());
                double alone = entry.getValue().path("null").asDouble();
                if (key.matches()) {
                    put(key.group(1), Long.parseLong(key.group(2)), alone);
                } else {
                    put(entry.getKey(), 1, alone);
                }
            });
        } catch (IOException e) {
            throw new InputException(file + " cannot be read: " + e.getMessage() + ".", e);
        }
    }
}

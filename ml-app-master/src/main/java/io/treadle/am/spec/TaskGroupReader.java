// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import io.treadle.am.spec.JobSpec.TaskGroup;
import io.treadle.core.text.PlainText;
import io.treadle.core.wire.GangSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads one entry of {@code tasks}. */
final class TaskGroupReader {
    static final List<String> FIELDS = List.of(
            "count",
            "min",
            "joins",
            "gpusPerWorker",
            "gpuMemory",
            "gpuModel",
            "vcores",
            "memory",
            "storageBandwidth",
            "power",
            "command",
            "env",
            ContainerReader.FIELD);

    static final long MAX_COUNT = 100_000;
    static final long MAX_GPUS = 1024;
    static final long MAX_VCORES = 100_000;
    static final long MAX_MEMORY_MIB = 1L << 30;
    static final long MAX_STORAGE_MBPS = 1_000_000_000;
    static final long MAX_WATTS = 1_000_000_000;
    static final long DEFAULT_MEMORY_MIB = 2048;

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,62}");
    private static final Pattern MODEL = Pattern.compile("\\S(.{0,126}\\S)?");

    private TaskGroupReader() {}

    /** @param container the job's, for groups that name none */
    static TaskGroup read(String name, YamlValue value, Optional<ContainerSpec> container) {
        if (!NAME.matcher(name).matches()) {
            throw value.error("has no name for a group: a letter, then at most 62 letters, digits, '-' and '_'.");
        }
        YamlFields fields = YamlFields.closed(value, FIELDS);
        int count = (int) fields.whole("count", 1, MAX_COUNT, 1);
        int gpus = (int) fields.whole("gpusPerWorker", 0, MAX_GPUS, 0);
        long gpuMemory = fields.quantity("gpuMemory", Quantity.MEMORY, 1, MAX_MEMORY_MIB, 0);
        if (gpus > 0 && gpuMemory > 0) {
            throw fields.require("gpuMemory", "")
                    .error("is given beside gpusPerWorker: " + gpus
                            + ", must stand alone.\nMaybe drop 'gpuMemory' for whole GPUs, or 'gpusPerWorker' for a slice"
                            + " of one GPU.");
        }
        return new TaskGroup(
                name,
                count,
                min(fields, count),
                gpus,
                gpuMemory,
                models(fields, gpus > 0 || gpuMemory > 0),
                fields.whole("vcores", 1, MAX_VCORES, 1),
                fields.quantity("memory", Quantity.MEMORY, 1, MAX_MEMORY_MIB, DEFAULT_MEMORY_MIB),
                fields.quantity("storageBandwidth", Quantity.BANDWIDTH, 0, MAX_STORAGE_MBPS, 0),
                fields.quantity("power", Quantity.POWER, 0, MAX_WATTS, 0),
                command(fields.require("command", "'command: python3 train.py'")),
                EnvironmentReader.read(fields),
                fields.flag("joins", false),
                ContainerReader.read(fields, container, asksForGpus(fields, gpus)));
    }

    /**
     * What asks for GPUs, or for a slice of one.
     *
     * @param whole how many whole ones
     */
    static Optional<YamlValue> asksForGpus(YamlFields fields, int whole) {
        return fields.find(whole > 0 ? "gpusPerWorker" : "gpuMemory");
    }

    private static int min(YamlFields fields, int count) {
        Optional<YamlValue> value = fields.find("min");
        if (value.isEmpty()) {
            return count;
        }
        long min = value.get().whole(1, MAX_COUNT);
        if (min > count) {
            throw value.get().error("is " + min + ", must be at most the group's count, which is " + count + ".");
        }
        return (int) min;
    }

    private static List<String> models(YamlFields fields, boolean hasGpus) {
        Optional<YamlValue> value = fields.find("gpuModel");
        if (value.isEmpty()) {
            return List.of();
        }
        if (!hasGpus) {
            throw value.get()
                    .error(
                            "is given, but the group asks for no GPU.\nMaybe add 'gpusPerWorker: 1', or drop 'gpuModel'.");
        }
        List<String> models = new ArrayList<>();
        for (YamlValue item : value.get().isList() ? value.get().list("a list") : List.of(value.get())) {
            models.add(item.text(MODEL, "the name of a GPU model, such as A100-SXM4-80GB"));
        }
        if (models.size() > GangSpec.MOST_MODELS) {
            throw value.get()
                    .error("names " + models.size() + " GPU models, must name at most " + GangSpec.MOST_MODELS + ".");
        }
        for (String model : models) {
            if (!PlainText.isLine(model)) {
                throw value.get().error("names a GPU model with a control character: '" + PlainText.line(model) + "'.");
            }
        }
        return models;
    }

    /** A command line, or a list of words that the shell is to take as they are. */
    private static String command(YamlValue value) {
        String command = value.isList()
                ? ShellWords.join(value.list("a command line").stream()
                        .map(YamlValue::text)
                        .toList())
                : value.text();
        if (command.isBlank()) {
            throw value.error("is empty, must be a command line.\nMaybe 'command: python3 train.py'.");
        }
        return command;
    }
}

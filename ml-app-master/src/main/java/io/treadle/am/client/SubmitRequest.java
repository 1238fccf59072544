// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.am.spec.JobSpec;
import io.treadle.am.spec.JobSpecParser;
import io.treadle.am.spec.ShellWords;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the user wants to be submitted.
 *
 * @param spec the job, with what the command line changes in it
 * @param dryRun check only
 * @param detach return as soon as the job is accepted
 */
record SubmitRequest(JobSpec spec, boolean dryRun, boolean detach) {
    private static final Set<String> FLAGS = Set.of("--detach", "--dry-run", "--help", "--version");

    /** Options that change a job file as well as the short form, with their fields. */
    private static final Map<String, String> TEXTS = Map.of(
            "--queue", "queue", "--name", "name", "--model-tag", "modelTag", "--checkpoint-dir", "checkpointDir");

    private static final Map<String, String> NUMBERS =
            Map.of("--total-samples", "totalSamples", "--batch-size", "batchSize", "--max-restarts", "maxRestarts");

    /** Options of the short form alone, with the task group's fields. */
    private static final Map<String, String> GROUP_NUMBERS =
            Map.of("--workers", "count", "--min-workers", "min", "--gpus", "gpusPerWorker", "--vcores", "vcores");

    private static final Map<String, String> GROUP_TEXTS = Map.of(
            "--memory",
            "memory",
            "--gpu-memory",
            "gpuMemory",
            "--gpu-model",
            "gpuModel",
            "--storage-bandwidth",
            "storageBandwidth",
            "--power",
            "power");

    /** Options of the image that tasks run in, with the fields of {@code container}. */
    private static final Map<String, String> CONTAINER_TEXTS =
            Map.of("--image", "image", "--runtime", "runtime", "--network", "network");

    private static final String CONTAINER = "container";
    private static final String MOUNT = "--mount";

    static final Arguments.Grammar GRAMMAR = new Arguments.Grammar(
            FLAGS,
            Set.copyOf(Stream.of(TEXTS, NUMBERS, GROUP_NUMBERS, GROUP_TEXTS, CONTAINER_TEXTS)
                    .flatMap(options -> options.keySet().stream())
                    .toList()),
            Set.of("--env", "--files", "--archives", MOUNT, Arguments.DEFINE));

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");
    private static final String ORIGIN = "command line";

    /** @throws UsageException or {@link io.treadle.am.spec.JobSpecException} if the arguments describe no job */
    static SubmitRequest of(Arguments arguments) {
        if (arguments.words().size() > 1) {
            throw new UsageException(
                    "there are " + arguments.words().size() + " job files: "
                            + String.join(", ", arguments.words())
                            + "; must be one.\nMaybe put the command after '--': yarn jar treadle-am.jar --gpus 1 -- python3 train.py");
        }
        boolean file = !arguments.words().isEmpty();
        if (file == arguments.command().isPresent()) {
            throw new UsageException(
                    file
                            ? "there are both a job file and a command after '--'; must be one of them"
                            : "there is neither a job file nor a command after '--'.\nMaybe --help shows how.");
        }
        ObjectNode job = file ? fromFile(arguments) : fromCommand(arguments);
        common(arguments, job);
        container(arguments, job);
        return new SubmitRequest(
                JobSpecParser.fromJson(ORIGIN, job.toString()), arguments.has("--dry-run"), arguments.has("--detach"));
    }

    private static ObjectNode fromFile(Arguments arguments) {
        for (String option : Stream.concat(GROUP_NUMBERS.keySet().stream(), GROUP_TEXTS.keySet().stream())
                .sorted()
                .toList()) {
            if (arguments.has(option)) {
                throw new UsageException("option " + option + " goes with a command after '--', not with a job file.\n"
                        + "Maybe set it in " + arguments.words().get(0) + ".");
            }
        }
        return JobFile.read(Path.of(arguments.words().get(0)));
    }

    private static ObjectNode fromCommand(Arguments arguments) {
        List<String> words = arguments.command().orElse(List.of());
        if (words.isEmpty()) {
            throw new UsageException("there is no command after '--'.\nMaybe '-- python3 train.py'.");
        }
        ObjectNode job = MAPPER.createObjectNode().put("name", nameOf(words));
        ObjectNode worker = job.putObject("tasks").putObject("worker");
        GROUP_NUMBERS.forEach((option, field) -> putNumber(arguments, option, worker, field));
        GROUP_TEXTS.forEach((option, field) -> {
            if (field.equals("gpuModel")) {
                putList(arguments.value(option).stream().toList(), worker, field);
            } else {
                arguments.value(option).ifPresent(value -> worker.put(field, value));
            }
        });
        worker.put("command", ShellWords.join(words));
        return job;
    }

    /** The script, or else the program, without its directory and ending. */
    private static String nameOf(List<String> words) {
        String script = words.stream()
                .filter(word -> word.matches("[\\w./-]+\\.(py|sh|R|jl|jar)"))
                .findFirst()
                .orElse(words.get(0));
        String name = script.substring(script.lastIndexOf('/') + 1)
                .replaceFirst("\\.[A-Za-z]+$", "")
                .replaceAll("[^A-Za-z0-9._-]", "-");
        return name.isEmpty() || name.length() > 100 ? "job" : name;
    }

    private static void common(Arguments arguments, ObjectNode job) {
        TEXTS.forEach((option, field) -> arguments.value(option).ifPresent(value -> job.put(field, value)));
        NUMBERS.forEach((option, field) -> putNumber(arguments, option, job, field));
        for (String field : List.of("files", "archives")) {
            putList(arguments.all("--" + field), job, field);
        }
        Map<String, String> env = new LinkedHashMap<>();
        for (String assignment : arguments.all("--env")) {
            int equals = assignment.indexOf('=');
            if (equals < 1) {
                throw new UsageException("option --env is given '" + assignment + "', must be given NAME=VALUE");
            }
            env.put(assignment.substring(0, equals), assignment.substring(equals + 1));
        }
        ObjectNode node = objectIn(job, "env");
        env.forEach(node::put);
    }

    /** Changes the image of the task groups that have one, or gives one to all where none has. */
    private static void container(Arguments arguments, ObjectNode job) {
        if (Stream.concat(CONTAINER_TEXTS.keySet().stream(), Stream.of(MOUNT)).noneMatch(arguments::has)) {
            return;
        }
        List<ObjectNode> groups = new ArrayList<>();
        objectIn(job, "tasks").forEach(group -> groups.add((ObjectNode) group));
        boolean none = groups.stream().noneMatch(group -> group.has(CONTAINER));
        for (ObjectNode group : groups) {
            if (none || group.has(CONTAINER)) {
                ObjectNode container = objectIn(group, CONTAINER);
                CONTAINER_TEXTS.forEach(
                        (option, field) -> arguments.value(option).ifPresent(value -> container.put(field, value)));
                putList(arguments.all(MOUNT), container, "mounts");
            }
        }
    }

    private static void putNumber(Arguments arguments, String option, ObjectNode node, String field) {
        Optional<String> value = arguments.value(option);
        if (value.isPresent()) {
            if (!WHOLE.matcher(value.get()).matches()) {
                throw new UsageException("option " + option + " is '" + value.get() + "', must be a whole number");
            }
            node.put(field, Long.parseLong(value.get()));
        }
    }

    private static ObjectNode objectIn(ObjectNode node, String field) {
        return node.get(field) instanceof ObjectNode there ? there : node.putObject(field);
    }

    /** Adds comma-separated values to a list that may be there already. */
    private static void putList(List<String> values, ObjectNode node, String field) {
        ArrayNode list = node.get(field) instanceof ArrayNode there ? there : node.putArray(field);
        for (String value : values) {
            for (String item : value.split(",")) {
                if (!item.isBlank()) {
                    list.add(item.strip());
                }
            }
        }
        if (list.isEmpty()) {
            node.remove(field);
        }
    }
}

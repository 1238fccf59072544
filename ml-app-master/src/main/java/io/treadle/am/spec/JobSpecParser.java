// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import io.treadle.am.spec.JobSpec.AppMaster;
import io.treadle.am.spec.JobSpec.FileSpec;
import io.treadle.am.spec.JobSpec.Profiling;
import io.treadle.am.spec.JobSpec.TaskGroup;
import io.treadle.core.model.ps.LayeredPsModel.Mode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads and writes job specifications (spec: {@code docs/spec/job-spec.md}). JSON is read by the same rules as YAML,
 * and what is written is itself a specification.
 */
public final class JobSpecParser {
    /** Newest version of the format that is read here. */
    static final int VERSION = 1;

    static final String JOB = "the job";

    static final List<String> FIELDS = List.of(
            "version",
            "name",
            "queue",
            "modelTag",
            "batchSize",
            "totalSamples",
            "elastic",
            "minRuntime",
            "maxRestarts",
            "maxAmAttempts",
            "env",
            "files",
            "archives",
            "checkpointDir",
            ContainerReader.FIELD,
            "appMaster",
            "profiling",
            "utility",
            "cap",
            "tasks");

    private static final long MAX_SAMPLES = 1_000_000_000_000_000L;
    private static final long MAX_SECONDS = 315_360_000;
    private static final int MAX_GROUPS = 32;
    private static final long DEFAULT_MAX_RESTARTS = 3;
    private static final long DEFAULT_MAX_AM_ATTEMPTS = 2;
    private static final long DEFAULT_AM_MEMORY_MIB = 512;
    private static final long LEAST_AM_MEMORY_MIB = 256;
    private static final int DEFAULT_PROFILING_SECONDS = 600;
    private static final String DEFAULT_NAME = "job";

    private static final Pattern UPDATES = Pattern.compile("sync|async");
    private static final Pattern NAME = Pattern.compile("\\S(.{0,98}\\S)?");
    private static final Pattern DIRECTORY = Pattern.compile("\\S(.{0,4094}\\S)?");
    private static final Pattern QUEUE = Pattern.compile("[^\\s,:=]{0,255}");
    private static final Pattern MODEL_TAG = Pattern.compile("([A-Za-z0-9][A-Za-z0-9._@-]{0,127})?");

    private JobSpecParser() {}

    /**
     * Reads YAML or JSON.
     *
     * @param fileName how messages call the file; also gives the job its name if it has none
     * @throws JobSpecException if the text is no job specification
     */
    public static JobSpec fromYaml(String fileName, String text) {
        return read(new SpecSource(fileName, true), text);
    }

    /**
     * Reads what {@link #toJson} wrote.
     *
     * @throws JobSpecException if the text is no job specification
     */
    public static JobSpec fromJson(String text) {
        return read(new SpecSource("job.json", true), text);
    }

    /**
     * Reads a specification that no person wrote as a file, so that line numbers would mean nothing.
     *
     * @param origin how messages call it, such as {@code command line}
     * @throws JobSpecException if the text is no job specification
     */
    public static JobSpec fromJson(String origin, String text) {
        return read(new SpecSource(origin, false), text);
    }

    /** A specification that reads back as an equal one, with every default spelled out. */
    public static String toJson(JobSpec spec) {
        return JobSpecWriter.write(spec);
    }

    private static JobSpec read(SpecSource source, String text) {
        YamlFields job = YamlFields.closed(new YamlValue(source, JOB, YamlDocument.parse(source, text)), FIELDS);
        job.find("version").ifPresent(JobSpecParser::checkVersion);
        List<TaskGroup> groups = groups(
                job.require("tasks", "'tasks: {worker: {command: python3 train.py}}'"), ContainerReader.read(job));
        Set<String> links = new HashSet<>();
        List<FileSpec> files = new FilesReader(links).read(job, "files");
        List<FileSpec> archives = new FilesReader(links).readArchives(job, "archives");
        return new JobSpec(
                name(job, source),
                queue(job),
                text(job, "modelTag", MODEL_TAG, "at most 128 letters, digits, '.', '_', '-' and '@'"),
                job.whole("batchSize", 0, MAX_SAMPLES, 0),
                job.whole("totalSamples", 0, MAX_SAMPLES, 0),
                elastic(job, groups),
                job.quantity("minRuntime", Quantity.DURATION, 0, MAX_SECONDS, 0),
                (int) job.whole("maxRestarts", 0, 1000, DEFAULT_MAX_RESTARTS),
                (int) job.whole("maxAmAttempts", 1, 100, DEFAULT_MAX_AM_ATTEMPTS),
                EnvironmentReader.read(job),
                files,
                archives,
                job.find("checkpointDir")
                        .map(v -> v.text(DIRECTORY, "a path or URI on storage that every node reaches")),
                appMaster(job),
                job.find("profiling")
                        .map(JobSpecParser::profiling)
                        .orElse(new Profiling(true, DEFAULT_PROFILING_SECONDS)),
                groups,
                SizingReader.read(job, groups));
    }

    static void checkVersion(YamlValue value) {
        long version = value.whole(1, Integer.MAX_VALUE);
        if (version > VERSION) {
            throw value.error("is " + version + ", this Treadle reads up to " + VERSION
                    + ".\nMaybe a newer treadle-am.jar is needed.");
        }
    }

    private static String text(YamlFields fields, String name, Pattern form, String right) {
        return fields.find(name).map(value -> value.text(form, right)).orElse("");
    }

    private static List<TaskGroup> groups(YamlValue tasks, Optional<ContainerSpec> container) {
        List<TaskGroup> groups = new ArrayList<>();
        for (Map.Entry<String, YamlValue> entry :
                YamlFields.open(tasks, "task group").all().entrySet()) {
            groups.add(TaskGroupReader.read(entry.getKey(), entry.getValue(), container));
        }
        if (groups.isEmpty() || groups.size() > MAX_GROUPS) {
            throw tasks.error("names " + groups.size() + " task groups, must name 1 to " + MAX_GROUPS
                    + ".\nMaybe 'tasks: {worker: {command: python3 train.py}}'.");
        }
        return groups;
    }

    /** A job is elastic by itself where a group may start smaller; saying it must not contradict the groups. */
    private static boolean elastic(YamlFields job, List<TaskGroup> groups) {
        boolean shrinks = groups.stream().anyMatch(group -> group.min() < group.count());
        Optional<YamlValue> said = job.find("elastic");
        if (said.isPresent() && said.get().flag() != shrinks) {
            throw said.get()
                    .error(
                            shrinks
                                    ? "is false, but a task group's min is below its count.\nMaybe drop 'min'."
                                    : "is true, but no task group's min is below its count.\nMaybe 'min: 1' in a group"
                                            + " that may shrink.");
        }
        return shrinks;
    }

    static String name(YamlFields job, SpecSource source) {
        return job.find("name")
                .map(v -> v.text(NAME, "1 to 100 characters in one line"))
                .orElseGet(() -> nameFrom(source.name()));
    }

    static String queue(YamlFields job) {
        return text(job, "queue", QUEUE, "the name or path of a queue, such as root.research");
    }

    static AppMaster appMaster(YamlFields job) {
        return appMaster(job, DEFAULT_AM_MEMORY_MIB);
    }

    static AppMaster appMaster(YamlFields job, long memoryMiB) {
        Optional<YamlFields> fields =
                job.find("appMaster").map(value -> YamlFields.closed(value, List.of("vcores", "memory")));
        if (fields.isEmpty()) {
            return new AppMaster(1, memoryMiB);
        }
        return new AppMaster(
                fields.get().whole("vcores", 1, TaskGroupReader.MAX_VCORES, 1),
                fields.get()
                        .quantity(
                                "memory",
                                Quantity.MEMORY,
                                LEAST_AM_MEMORY_MIB,
                                TaskGroupReader.MAX_MEMORY_MIB,
                                memoryMiB));
    }

    private static Profiling profiling(YamlValue value) {
        YamlFields fields = YamlFields.closed(value, List.of("enabled", "maxSeconds", "updates"));
        return new Profiling(
                fields.flag("enabled", true),
                (int) fields.whole("maxSeconds", 1, 86_400, DEFAULT_PROFILING_SECONDS),
                fields.find("updates")
                        .map(v -> Mode.valueOf(v.text(UPDATES, "sync or async").toUpperCase(Locale.ROOT)))
                        .orElse(Mode.SYNC));
    }

    private static String nameFrom(String fileName) {
        String last = fileName.substring(fileName.lastIndexOf('/') + 1);
        int dot = last.lastIndexOf('.');
        String stem = (dot > 0 ? last.substring(0, dot) : last).replaceAll("[^A-Za-z0-9._-]", "-");
        return stem.isEmpty() || stem.length() > 100 ? DEFAULT_NAME : stem;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import io.treadle.am.spec.ServiceSpec.Mode;
import io.treadle.am.spec.ServiceSpec.ModelSpec;
import io.treadle.am.spec.ServiceSpec.Workers;
import io.treadle.am.spec.ServiceSpec.WorkflowSpec;
import io.treadle.core.query.Dispatchers;
import io.treadle.core.query.Eviction;
import io.treadle.core.query.QueueOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Reads specifications of services (spec: {@code docs/spec/service-spec.md}), YAML or JSON. */
public final class ServiceSpecParser {
    static final String SERVICE = "the service";

    private static final List<String> FIELDS = List.of(
            "version",
            "name",
            "queue",
            "maxAmAttempts",
            "appMaster",
            "mode",
            "policy",
            "eviction",
            "queueOrder",
            "workers",
            "models",
            "workflows");

    private static final List<String> WORKER_FIELDS = List.of(
            "count",
            "min",
            "max",
            "gpusPerWorker",
            "gpuMemory",
            "vcores",
            "memory",
            "modelMemory",
            ContainerReader.FIELD);

    /** Tasks name inputs of queries and outputs of others by a dot between two of these. */
    static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,62}");

    static final String RIGHT_NAME = "a letter, then at most 62 letters, digits, '-' and '_'";

    private static final int MAX_MODELS = 10_000;
    private static final int MAX_WORKFLOWS = 1000;
    private static final long DEFAULT_MAX_AM_ATTEMPTS = 5;
    private static final long DEFAULT_WORKER_MEMORY_MIB = 1024;
    /** All queries pass through it. */
    private static final long DEFAULT_AM_MEMORY_MIB = 1024;
    /** A worker's JVM and its heap beside the models, MiB. */
    private static final long LEAST_OTHER_MIB = 128;

    private static final Pattern FILE = Pattern.compile("\\S(.{0,4094}\\S)?");

    private ServiceSpecParser() {}

    /**
     * @param fileName how messages call the file; also gives the service its name if it has none
     * @throws JobSpecException if the text is no specification of a service
     */
    public static ServiceSpec fromYaml(String fileName, String text) {
        SpecSource source = new SpecSource(fileName, true);
        YamlFields service =
                YamlFields.closed(new YamlValue(source, SERVICE, YamlDocument.parse(source, text)), FIELDS);
        service.find("version").ifPresent(JobSpecParser::checkVersion);
        List<ModelSpec> models = models(service.require("models", "'models: {classifier: {file: classifier.onnx}}'"));
        List<String> names = models.stream().map(ModelSpec::name).toList();
        return new ServiceSpec(
                JobSpecParser.name(service, source),
                JobSpecParser.queue(service),
                (int) service.whole("maxAmAttempts", 1, 100, DEFAULT_MAX_AM_ATTEMPTS),
                JobSpecParser.appMaster(service, DEFAULT_AM_MEMORY_MIB),
                service.find("mode").map(value -> named(value, Mode::of)).orElse(Mode.CENTRAL),
                service.find("policy").map(ServiceSpecParser::policy).orElse("compass"),
                service.find("eviction")
                        .map(value -> named(value, Eviction::of))
                        .orElse(Eviction.LOOK_AHEAD),
                service.find("queueOrder").map(value -> named(value, QueueOrder::of)),
                workers(service),
                models,
                workflows(
                        service.require("workflows", "'workflows: {recognise: {inputs: …, tasks: …, outputs: …}}'"),
                        names));
    }

    private static String policy(YamlValue value) {
        if (!Dispatchers.NAMES.contains(value.text())) {
            throw value.error("is " + SpecSource.quote(value.text()) + ", must be one of "
                    + String.join(", ", Dispatchers.NAMES) + ".");
        }
        return value.text();
    }

    private static <T> T named(YamlValue value, Function<String, T> of) {
        try {
            return of.apply(value.text());
        } catch (JobSpecException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw value.error("is " + SpecSource.quote(value.text()) + ", " + e.getMessage() + ".");
        }
    }

    private static Workers workers(YamlFields service) {
        Optional<YamlFields> given = service.find("workers").map(value -> YamlFields.closed(value, WORKER_FIELDS));
        if (given.isEmpty()) {
            return new Workers(1, 1, 1, 0, 0, 1, DEFAULT_WORKER_MEMORY_MIB, OptionalLong.empty());
        }
        YamlFields fields = given.get();
        int count = (int) fields.whole("count", 1, TaskGroupReader.MAX_COUNT, 1);
        int min = (int) fields.whole("min", 1, TaskGroupReader.MAX_COUNT, count);
        int max = (int) fields.whole("max", 1, TaskGroupReader.MAX_COUNT, count);
        if (min > count || count > max) {
            throw fields.require(min > count ? "min" : "max", "")
                    .error("is " + (min > count ? min : max) + ", must be at " + (min > count ? "most" : "least")
                            + " the count, which is " + count + ".");
        }
        int gpus = (int) fields.whole("gpusPerWorker", 0, TaskGroupReader.MAX_GPUS, 0);
        long slice = fields.quantity("gpuMemory", Quantity.MEMORY, 1, TaskGroupReader.MAX_MEMORY_MIB, 0);
        if (gpus > 0 && slice > 0) {
            throw fields.require("gpuMemory", "")
                    .error("is given beside gpusPerWorker: " + gpus + ", must stand alone.\nMaybe drop one of them.");
        }
        long memory = fields.quantity(
                "memory", Quantity.MEMORY, 1, TaskGroupReader.MAX_MEMORY_MIB, DEFAULT_WORKER_MEMORY_MIB);
        return new Workers(
                count,
                min,
                max,
                gpus,
                slice,
                fields.whole("vcores", 1, TaskGroupReader.MAX_VCORES, 1),
                memory,
                modelMemory(fields, gpus, slice, memory),
                ContainerReader.read(fields, Optional.empty(), TaskGroupReader.asksForGpus(fields, gpus)));
    }

    private static OptionalLong modelMemory(YamlFields fields, int gpus, long slice, long memory) {
        Optional<YamlValue> value = fields.find("modelMemory");
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        long most = slice > 0 ? slice : gpus > 0 ? TaskGroupReader.MAX_MEMORY_MIB : memory - LEAST_OTHER_MIB;
        return OptionalLong.of(value.get().quantity(Quantity.MEMORY, 1, most));
    }

    private static List<ModelSpec> models(YamlValue value) {
        List<ModelSpec> models = new ArrayList<>();
        for (Map.Entry<String, YamlValue> entry :
                YamlFields.open(value, "model").all().entrySet()) {
            checkName(entry.getKey(), entry.getValue());
            YamlFields fields = YamlFields.closed(entry.getValue(), List.of("file", "memory"));
            models.add(new ModelSpec(
                    entry.getKey(),
                    fields.require("file", "'file: classifier.onnx'").text(FILE, "a path or URI of an ONNX file"),
                    fields.find("memory")
                            .map(size ->
                                    OptionalLong.of(size.quantity(Quantity.MEMORY, 1, TaskGroupReader.MAX_MEMORY_MIB)))
                            .orElse(OptionalLong.empty())));
        }
        if (models.isEmpty() || models.size() > MAX_MODELS) {
            throw value.error("names " + models.size() + " models, must name 1 to " + MAX_MODELS + ".");
        }
        return models;
    }

    private static List<WorkflowSpec> workflows(YamlValue value, List<String> models) {
        List<WorkflowSpec> workflows = new ArrayList<>();
        for (Map.Entry<String, YamlValue> entry :
                YamlFields.open(value, "workflow").all().entrySet()) {
            checkName(entry.getKey(), entry.getValue());
            workflows.add(new WorkflowReader(entry.getKey(), entry.getValue(), models).read());
        }
        if (workflows.isEmpty() || workflows.size() > MAX_WORKFLOWS) {
            throw value.error("names " + workflows.size() + " workflows, must name 1 to " + MAX_WORKFLOWS + ".");
        }
        return workflows;
    }

    static void checkName(String name, YamlValue value) {
        if (!NAME.matcher(name).matches()) {
            throw value.error("has no name that can be used: " + RIGHT_NAME + ".");
        }
    }
}

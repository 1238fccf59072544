// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import io.treadle.am.query.tensor.TensorSpec;
import io.treadle.am.query.tensor.TensorType;
import io.treadle.am.spec.ServiceSpec.Source;
import io.treadle.am.spec.ServiceSpec.TaskSpec;
import io.treadle.am.spec.ServiceSpec.WorkflowSpec;
import io.treadle.core.query.QueryTask;
import io.treadle.core.query.WorkflowGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads one entry of {@code workflows}. */
final class WorkflowReader {
    private static final int MAX_TASKS = 1000;
    private static final String RIGHT_TENSOR = "a type and lengths, such as FP32[1, 64] or INT64[any]";

    private static final Pattern TENSOR = Pattern.compile("([A-Z0-9]+)\\s*\\[\\s*([^\\[\\]]*?)\\s*\\]");
    private static final Pattern LENGTH = Pattern.compile("any|0|[1-9][0-9]{0,8}");

    private final String name;
    private final YamlValue value;
    private final List<String> models;
    private final Map<String, YamlValue> taskValues = new LinkedHashMap<>();
    private final List<TensorSpec> inputs = new ArrayList<>();

    /** @param models names of those that there are */
    WorkflowReader(String name, YamlValue value, List<String> models) {
        this.name = name;
        this.value = value;
        this.models = models;
    }

    WorkflowSpec read() {
        YamlFields fields = YamlFields.closed(value, List.of("inputs", "tasks", "outputs"));
        YamlFields.open(fields.require("inputs", "'inputs: {image: \"FP32[1, 64]\"}'"), "input")
                .all()
                .forEach((input, type) -> inputs.add(tensor(input, type)));
        YamlValue tasks = fields.require("tasks", "'tasks: {classify: {model: classifier, inputs: {x: image}}}'");
        taskValues.putAll(YamlFields.open(tasks, "task").all());
        if (taskValues.isEmpty() || taskValues.size() > MAX_TASKS) {
            throw tasks.error("names " + taskValues.size() + " tasks, must name 1 to " + MAX_TASKS + ".");
        }
        taskValues.forEach(ServiceSpecParser::checkName);
        List<TaskSpec> read = new ArrayList<>();
        taskValues.forEach((task, what) -> read.add(task(task, what)));
        Map<String, Source> outputs = new LinkedHashMap<>();
        YamlValue given = fields.require("outputs", "'outputs: {digit: classify.label}'");
        YamlFields.open(given, "output").all().forEach((output, from) -> outputs.put(output, output(from)));
        if (outputs.isEmpty()) {
            throw given.error("names no output, must name one or more.");
        }
        return new WorkflowSpec(name, inputs, ordered(read), outputs);
    }

    private static TensorSpec tensor(String input, YamlValue value) {
        ServiceSpecParser.checkName(input, value);
        String text = value.text();
        Matcher matcher = TENSOR.matcher(text);
        Optional<TensorType> type = matcher.matches() ? TensorType.of(matcher.group(1)) : Optional.empty();
        if (type.isEmpty()) {
            throw value.error("is " + SpecSource.quote(text) + ", must be " + RIGHT_TENSOR + "; types are "
                    + TensorType.names() + ".");
        }
        List<Long> shape = new ArrayList<>();
        String lengths = matcher.group(2);
        for (String length : lengths.isEmpty() ? new String[0] : lengths.split("\\s*,\\s*", -1)) {
            if (!LENGTH.matcher(length).matches()) {
                throw value.error("has the length " + SpecSource.quote(length) + ", must be a whole number or any.");
            }
            shape.add(length.equals("any") ? TensorSpec.ANY : Long.parseLong(length));
        }
        return new TensorSpec(input, type.get(), shape);
    }

    private TaskSpec task(String task, YamlValue what) {
        YamlFields fields = YamlFields.closed(what, List.of("model", "inputs"));
        YamlValue model = fields.require("model", "'model: " + models.get(0) + "'");
        if (!models.contains(model.text())) {
            throw model.error("is " + SpecSource.quote(model.text()) + ", must be one of the service's models."
                    + Nearest.of(model.text(), models)
                            .map(near -> "\nMaybe '" + near + "'.")
                            .orElse(""));
        }
        Map<String, Source> from = new LinkedHashMap<>();
        YamlFields.open(fields.require("inputs", "'inputs: {x: image}'"), "input")
                .all()
                .forEach((input, source) -> from.put(input, source(source)));
        return new TaskSpec(task, model.text(), from);
    }

    private Source output(YamlValue from) {
        Source source = source(from);
        if (source.task().isEmpty()) {
            throw from.error("is the query's own input '" + source.tensor() + "', must be an output of a task.");
        }
        return source;
    }

    private Source source(YamlValue from) {
        String text = from.text();
        int dot = text.indexOf('.');
        if (dot < 0) {
            List<String> known = inputs.stream().map(TensorSpec::name).toList();
            if (!known.contains(text)) {
                throw from.error("is " + SpecSource.quote(text) + ", must be an input of the workflow or TASK.OUTPUT."
                        + Nearest.of(text, known)
                                .map(near -> "\nMaybe '" + near + "'.")
                                .orElse(""));
            }
            return new Source(Optional.empty(), text);
        }
        String task = text.substring(0, dot);
        if (!taskValues.containsKey(task) || dot == text.length() - 1) {
            throw from.error(
                    "is " + SpecSource.quote(text) + ", must be an output of a task of the workflow, TASK.OUTPUT."
                            + Nearest.of(task, taskValues.keySet())
                                    .map(near -> "\nMaybe '" + near + text.substring(dot) + "'.")
                                    .orElse(""));
        }
        return new Source(Optional.of(task), text.substring(dot + 1));
    }

    /** Each after those whose outputs it needs. */
    private List<TaskSpec> ordered(List<TaskSpec> tasks) {
        List<String> names = tasks.stream().map(TaskSpec::name).toList();
        List<QueryTask> nodes = new ArrayList<>();
        for (TaskSpec task : tasks) {
            List<Integer> before = task.inputs().values().stream()
                    .flatMap(source -> source.task().stream())
                    .distinct()
                    .map(names::indexOf)
                    .toList();
            nodes.add(new QueryTask(nodes.size(), task.name(), List.of(), 0, 0, 0, before));
        }
        try {
            WorkflowGraph graph = new WorkflowGraph(name, nodes);
            return graph.order().stream().map(tasks::get).toList();
        } catch (IllegalArgumentException e) {
            throw value.error("cannot be: " + e.getMessage() + ".");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.input;

import com.fasterxml.jackson.databind.JsonNode;
import io.treadle.core.query.Model;
import io.treadle.core.query.QueryTask;
import io.treadle.core.query.WorkflowGraph;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.input.JsonFile;
import io.treadle.simulator.input.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads workflows (docs/spec/workflows-file.md). */
public final class WorkflowsFile {
    private static final int MOST_TASKS = 10_000;
    private static final int MOST_MODELS = 100_000;
    private static final double MOST_MS = 1e9;
    private static final double MOST_KB = 1e12;
    private static final int NO_MODEL = -1;

    private final Path file;
    private final Map<Integer, Model> models = new HashMap<>();

    private WorkflowsFile(Path file) {
        this.file = file;
    }

    /** @throws InputException if the file cannot be read, or what it says cannot be */
    public static List<WorkflowGraph> read(Path file) {
        List<JsonNode> roots = new ArrayList<>();
        JsonFile.objects(file, roots::add);
        if (roots.size() != 1) {
            throw new InputException(
                    file + " holds " + roots.size() + " JSON objects, must be one: {\"workflows\": [\u2026]}.");
        }
        return new WorkflowsFile(file).workflows(new JsonObject(file, "the file", roots.get(0)));
    }

    private List<WorkflowGraph> workflows(JsonObject root) {
        List<JsonObject> each = root.list("workflows");
        if (each.isEmpty()) {
            throw root.wrong("workflows", "a list of one or more workflows");
        }
        List<WorkflowGraph> graphs = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (JsonObject workflow : each) {
            WorkflowGraph graph = workflow(named(workflow, "workflow " + graphs.size()));
            if (!names.add(graph.name())) {
                throw named(workflow, "workflow " + graphs.size())
                        .wrong("name", "another name than that of a workflow before it");
            }
            graphs.add(graph);
        }
        return graphs;
    }

    private static JsonObject named(JsonObject object, String place) {
        return new JsonObject(object.file(), place, object.json());
    }

    private WorkflowGraph workflow(JsonObject workflow) {
        String name = workflow.name("name");
        List<QueryTask> tasks = new ArrayList<>();
        for (JsonObject task : workflow.list("tasks")) {
            if (tasks.size() == MOST_TASKS) {
                throw workflow.wrong("tasks", "at most " + MOST_TASKS + " tasks");
            }
            tasks.add(task(named(task, "workflow '" + name + "', task " + tasks.size())));
        }
        try {
            return new WorkflowGraph(name, tasks);
        } catch (IllegalArgumentException e) {
            throw new InputException(file + ": " + e.getMessage() + ".", e);
        }
    }

    private QueryTask task(JsonObject task) {
        int id = (int) task.whole("id", 0, MOST_TASKS);
        String name = task.text("name").orElse("task " + id);
        try {
            return new QueryTask(
                    id,
                    name,
                    modelsOf(task, name),
                    task.number("ms", 0, MOST_MS),
                    task.number("in_kb", 0, MOST_KB),
                    task.number("out_kb", 0, MOST_KB),
                    predecessors(task));
        } catch (IllegalArgumentException e) {
            throw new InputException(file + ", " + task.place() + ": " + e.getMessage() + ".", e);
        }
    }

    private List<Model> modelsOf(JsonObject task, String name) {
        if (task.has("models")) {
            return task.list("models").stream()
                    .map(each -> {
                        JsonObject model = named(each, task.place() + ", model");
                        int id = (int) model.whole("id", 0, MOST_MODELS);
                        return model(model, id, model.text("name").orElse("model " + id), "kb");
                    })
                    .toList();
        }
        int id = task.has("model") ? (int) task.whole("model", NO_MODEL, MOST_MODELS) : NO_MODEL;
        return id == NO_MODEL ? List.of() : List.of(model(task, id, name, "model_kb"));
    }

    /** The same model wherever its id is. */
    private Model model(JsonObject object, int id, String name, String sizeField) {
        double kb = object.number(sizeField, Double.MIN_NORMAL, MOST_KB);
        Model known = models.computeIfAbsent(id, unknown -> new Model(id, name, kb));
        if (known.kb() != kb) {
            throw object.wrong(sizeField, known.kb() + ", which model " + id + " takes elsewhere");
        }
        return known;
    }

    private static List<Integer> predecessors(JsonObject task) {
        List<Integer> ids = new ArrayList<>();
        for (JsonNode each : task.json().path("pred")) {
            if (!each.isIntegralNumber() || !each.canConvertToInt()) {
                throw task.wrong("pred", "a list of ids of tasks");
            }
            ids.add(each.intValue());
        }
        if (task.has("pred") && !task.json().path("pred").isArray()) {
            throw task.wrong("pred", "a list of ids of tasks");
        }
        return ids;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import io.treadle.am.spec.ServiceSpec;
import io.treadle.am.spec.ServiceSpec.TaskSpec;
import io.treadle.am.spec.ServiceSpec.WorkflowSpec;
import io.treadle.am.spec.ServiceSpecParser;
import io.treadle.core.query.Model;
import io.treadle.core.query.QueryTask;
import io.treadle.core.query.WorkflowGraph;
import io.treadle.demo.DemoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A service's workflows as the simulator has them: wired as its specification says, with what its profile says of each task. */
final class SpecGraphs {
    private SpecGraphs() {}

    /** @return by the workflows' names */
    static Map<String, WorkflowGraph> read(Path service, Map<String, Model> models, ServiceProfile profile) {
        ServiceSpec spec;
        try {
            spec = ServiceSpecParser.fromYaml(service.toString(), Files.readString(service));
        } catch (IOException e) {
            throw new DemoException(service + " cannot be read: " + e.getMessage(), e);
        }
        Map<String, WorkflowGraph> graphs = new HashMap<>();
        spec.workflows().forEach(workflow -> graphs.put(workflow.name(), graph(workflow, models, profile)));
        return graphs;
    }

    private static WorkflowGraph graph(WorkflowSpec workflow, Map<String, Model> models, ServiceProfile profile) {
        List<String> names = workflow.tasks().stream().map(TaskSpec::name).toList();
        List<QueryTask> tasks = new ArrayList<>();
        for (TaskSpec task : workflow.tasks()) {
            List<Integer> before = task.inputs().values().stream()
                    .flatMap(source -> source.task().stream())
                    .distinct()
                    .map(names::indexOf)
                    .sorted()
                    .toList();
            ServiceProfile.Runs runs = runs(profile, workflow, task.name());
            double inputKb = before.stream()
                    .mapToDouble(id -> runs(profile, workflow, names.get(id)).outputKb())
                    .sum();
            tasks.add(new QueryTask(
                    tasks.size(),
                    task.name(),
                    List.of(Objects.requireNonNull(models.get(task.model()), task.model())),
                    runs.meanMs(),
                    inputKb,
                    runs.outputKb(),
                    before));
        }
        return new WorkflowGraph(workflow.name(), tasks);
    }

    private static ServiceProfile.Runs runs(ServiceProfile profile, WorkflowSpec workflow, String task) {
        String name = workflow.name() + "/" + task;
        return Objects.requireNonNull(profile.tasks().get(name), name);
    }
}

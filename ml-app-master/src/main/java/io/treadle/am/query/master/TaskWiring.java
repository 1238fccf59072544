// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.spec.ServiceSpec.Source;
import io.treadle.am.spec.ServiceSpec.TaskSpec;
import io.treadle.am.spec.ServiceSpec.WorkflowSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where a task's inputs come from and its outputs go to, found once: it is asked at each step of each query.
 *
 * @param before ids of the tasks whose outputs it gets, ascending
 * @param passed by the id of the task that they come from: its outputs, by what this one calls them
 * @param given inputs of the query that it gets, by what it calls them
 * @param answered its outputs that the query answers with
 */
record TaskWiring(
        List<Integer> before,
        Map<Integer, Map<String, String>> passed,
        Map<String, String> given,
        List<String> answered) {
    /** By the tasks' ids. */
    static List<TaskWiring> of(WorkflowSpec workflow) {
        List<String> names = workflow.tasks().stream().map(TaskSpec::name).toList();
        List<TaskWiring> wiring = new ArrayList<>();
        for (TaskSpec task : workflow.tasks()) {
            Map<Integer, Map<String, String>> passed = new TreeMap<>();
            Map<String, String> given = new HashMap<>();
            task.inputs().forEach((name, source) -> {
                if (source.task().isPresent()) {
                    passed.computeIfAbsent(names.indexOf(source.task().get()), unknown -> new HashMap<>())
                            .put(name, source.tensor());
                } else {
                    given.put(name, source.tensor());
                }
            });
            wiring.add(new TaskWiring(List.copyOf(passed.keySet()), passed, given, answered(workflow, task.name())));
        }
        return List.copyOf(wiring);
    }

    private static List<String> answered(WorkflowSpec workflow, String task) {
        return workflow.outputs().values().stream()
                .filter(source -> source.task().filter(task::equals).isPresent())
                .map(Source::tensor)
                .distinct()
                .toList();
    }
}

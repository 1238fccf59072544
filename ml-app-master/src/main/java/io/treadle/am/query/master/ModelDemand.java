// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.query.master.DeskFigures.WorkflowFigures;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How much of a service's work needs each of its models. */
final class ModelDemand {
    private ModelDemand() {}

    /**
     * Ids of the models that answered queries have used, in the order of the time that their tasks take in all, the most first.
     *
     * @param figures of the same workflows, in the same order, with what workers have answered themselves
     */
    static List<Integer> order(List<Workflow> workflows, DeskFigures figures) {
        Map<Integer, Double> workMs = new TreeMap<>();
        for (int i = 0; i < workflows.size(); i++) {
            WorkflowFigures seen = figures.workflows().get(i);
            for (int task = 0; task < seen.tasks().size(); task++) {
                double ms = seen.answered() * seen.tasks().get(task).runMs();
                if (ms > 0) {
                    workMs.merge(workflows.get(i).model(task).id(), ms, Double::sum);
                }
            }
        }
        return workMs.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .map(Map.Entry::getKey)
                .toList();
    }
}

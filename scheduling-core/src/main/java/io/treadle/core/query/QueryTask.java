// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.List;

/**
 * A step of a workflow.
 *
 * @param id its place in the workflow, from 0
 * @param name for people
 * @param models that it needs at the same time; none where it needs no GPU memory
 * @param runMs how long it runs once its models and inputs are there, 0 or more
 * @param inputKb all of its input, 0 or more
 * @param outputKb what each step that follows gets of it, 0 or more
 * @param predecessors ids of the steps whose outputs it needs
 */
public record QueryTask(
        int id,
        String name,
        List<Model> models,
        double runMs,
        double inputKb,
        double outputKb,
        List<Integer> predecessors) {
    public QueryTask {
        models = List.copyOf(models);
        predecessors = List.copyOf(predecessors);
        check(name, "runs for ms", runMs);
        check(name, "takes in kB", inputKb);
        check(name, "gives out kB", outputKb);
        checkArgument(
                models.stream().mapToInt(Model::id).distinct().count() == models.size(),
                "task '%s' names a model twice",
                name);
        checkArgument(
                predecessors.stream().distinct().count() == predecessors.size(),
                "task '%s' names a predecessor twice",
                name);
    }

    private static void check(String task, String what, double value) {
        checkArgument(
                value >= 0 && Double.isFinite(value),
                "task '%s' %s: %s, must be a finite number of 0 or more",
                task,
                what,
                value);
    }

    /** It has to wait for several others. */
    public boolean isJoint() {
        return predecessors.size() > 1;
    }

    public boolean isEntry() {
        return predecessors.isEmpty();
    }

    /** What its models take together. */
    public double modelKb() {
        double sum = 0;
        for (Model model : models) {
            sum += model.kb();
        }
        return sum;
    }
}

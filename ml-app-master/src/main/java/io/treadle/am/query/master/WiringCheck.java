// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.query.tensor.TensorSpec;
import io.treadle.am.spec.ServiceSpec.Source;
import io.treadle.am.spec.ServiceSpec.TaskSpec;
import io.treadle.am.spec.ServiceSpec.Workers;
import io.treadle.am.spec.ServiceSpec.WorkflowSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Whether models can do what a service's workflows ask of them, before anybody asks. */
final class WiringCheck {
    private static final double KB_A_MIB = 1048.576;

    private final Map<String, ModelFacts> models;

    /** @param models by name */
    WiringCheck(Map<String, ModelFacts> models) {
        this.models = models;
    }

    /**
     * @param gpuMiB memory of the GPU that a worker has all of; 0 where it has none, or it is not known
     * @throws IllegalArgumentException if a model is larger than all that a worker has for models, or that is larger than its
     *     GPU
     */
    void checkMemory(Workers workers, long gpuMiB) {
        long memoryMiB = workers.modelMemory(gpuMiB);
        if (gpuMiB > 0 && memoryMiB > gpuMiB) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "modelMemory of the workers is %d MiB, must be at most the %d MiB of a worker's GPU.%nMaybe leave it out:"
                            + " then models may take all of it.",
                    memoryMiB,
                    gpuMiB));
        }
        double memoryKb = memoryMiB * KB_A_MIB;
        for (ModelFacts model : models.values()) {
            if (model.kb() > memoryKb) {
                throw new IllegalArgumentException(String.format(
                        Locale.ROOT,
                        "model '%s' takes %.1f MiB, must be at most the %d MiB that a worker has for models.%nMaybe raise"
                                + " modelMemory, or give its workers more memory.",
                        model.name(),
                        model.kb() / KB_A_MIB,
                        memoryMiB));
            }
        }
    }

    /** @throws IllegalArgumentException if a task's model takes or gives something else than the workflow says */
    void check(WorkflowSpec workflow) {
        Map<String, TensorSpec> given = new HashMap<>();
        workflow.inputs().forEach(input -> given.put(input.name(), input));
        for (TaskSpec task : workflow.tasks()) {
            ModelFacts model = model(task);
            String where = "task '" + task.name() + "' of workflow '" + workflow.name() + "'";
            for (Map.Entry<String, Source> each : task.inputs().entrySet()) {
                TensorSpec wanted = find(model.inputs(), each.getKey())
                        .orElseThrow(() -> new IllegalArgumentException(where + " gives its model '" + model.name()
                                + "' an input '" + each.getKey() + "', which takes " + names(model.inputs())));
                TensorSpec source = Objects.requireNonNull(
                        given.get(each.getValue().toString()), () -> where + " needs " + each.getValue());
                if (wanted.type() != source.type() || !mayFit(wanted.shape(), source.shape())) {
                    throw new IllegalArgumentException(
                            where + " gives its model '" + model.name() + "' " + source.type()
                                    + source.shape() + " (" + each.getValue() + ") as '" + each.getKey() + "', must be "
                                    + wanted.type() + wanted.shape() + " (-1 is any length)");
                }
            }
            for (TensorSpec input : model.inputs()) {
                if (!task.inputs().containsKey(input.name())) {
                    throw new IllegalArgumentException(
                            where + " does not say where '" + input.name() + "' of its model '" + model.name()
                                    + "' comes from, must have inputs " + names(model.inputs()));
                }
            }
            model.outputs().forEach(output -> given.put(task.name() + "." + output.name(), output));
            checkOutputs(workflow, task, model);
        }
    }

    /** The workflow as its models can take it: a length that may be any for it, and is fixed for a model, is fixed. */
    WorkflowSpec narrowed(WorkflowSpec workflow) {
        List<TensorSpec> inputs = new ArrayList<>();
        for (TensorSpec input : workflow.inputs()) {
            List<Long> shape = new ArrayList<>(input.shape());
            for (TaskSpec task : workflow.tasks()) {
                task.inputs().forEach((name, source) -> {
                    if (source.task().isEmpty() && source.tensor().equals(input.name())) {
                        narrow(
                                shape,
                                find(model(task).inputs(), name).orElseThrow().shape());
                    }
                });
            }
            inputs.add(new TensorSpec(input.name(), input.type(), shape));
        }
        return new WorkflowSpec(workflow.name(), inputs, workflow.tasks(), workflow.outputs());
    }

    /** What a workflow answers with. */
    List<TensorSpec> outputs(WorkflowSpec workflow) {
        List<TensorSpec> outputs = new ArrayList<>();
        workflow.outputs().forEach((name, source) -> {
            TaskSpec task = workflow.tasks().stream()
                    .filter(each -> source.task().filter(each.name()::equals).isPresent())
                    .findFirst()
                    .orElseThrow();
            TensorSpec output = find(model(task).outputs(), source.tensor()).orElseThrow();
            outputs.add(new TensorSpec(name, output.type(), output.shape()));
        });
        return outputs;
    }

    private static void narrow(List<Long> shape, List<Long> model) {
        for (int i = 0; i < shape.size(); i++) {
            if (shape.get(i) == TensorSpec.ANY) {
                shape.set(i, model.get(i));
            }
        }
    }

    private ModelFacts model(TaskSpec task) {
        return Objects.requireNonNull(models.get(task.model()));
    }

    /** What is taken from the task, by others or by the answer, must be there. */
    private static void checkOutputs(WorkflowSpec workflow, TaskSpec task, ModelFacts model) {
        List<Source> all = new ArrayList<>(workflow.outputs().values());
        workflow.tasks().forEach(other -> all.addAll(other.inputs().values()));
        for (Source source : all) {
            if (source.task().filter(task.name()::equals).isPresent()
                    && find(model.outputs(), source.tensor()).isEmpty()) {
                throw new IllegalArgumentException("workflow '" + workflow.name() + "' takes '" + source
                        + "', but model '" + model.name() + "' gives " + names(model.outputs()));
            }
        }
    }

    private static Optional<TensorSpec> find(List<TensorSpec> specs, String name) {
        return specs.stream().filter(spec -> spec.name().equals(name)).findFirst();
    }

    private static List<String> names(List<TensorSpec> specs) {
        return specs.stream().map(TensorSpec::name).toList();
    }

    /** Whether there is a tensor that is both. */
    private static boolean mayFit(List<Long> wanted, List<Long> source) {
        if (wanted.size() != source.size()) {
            return false;
        }
        for (int i = 0; i < wanted.size(); i++) {
            long a = wanted.get(i);
            long b = source.get(i);
            if (a != TensorSpec.ANY && b != TensorSpec.ANY && a != b) {
                return false;
            }
        }
        return true;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.query.ingress.QueryException;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorException;
import io.treadle.am.query.tensor.TensorSpec;
import io.treadle.am.query.wire.Message.Learned;
import io.treadle.am.query.wire.Message.Tally;
import io.treadle.am.spec.ServiceSpec.TaskSpec;
import io.treadle.am.spec.ServiceSpec.WorkflowSpec;
import io.treadle.core.query.DelayModel;
import io.treadle.core.query.Model;
import io.treadle.core.query.QueryTask;
import io.treadle.core.query.UpwardRank;
import io.treadle.core.query.WorkflowGraph;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A workflow with what its tasks take, as it is known by now. */
final class Workflow {
    /** Of a task that has never run, ms and kB. */
    private static final double FIRST_MS = 10;

    private static final double FIRST_KB = 10;
    /** For percentiles. */
    private static final int MOST_LATENCIES = 1000;

    private final WorkflowSpec spec;
    private final List<String> names;
    private final List<Model> models;
    private final DelayModel delays;
    /** By the tasks' ids. */
    private final List<TaskWiring> wiring;

    private final List<Estimate> runMs = new ArrayList<>();
    private final List<RunSample> samples = new ArrayList<>();
    private final List<Estimate> outputKb = new ArrayList<>();
    private final Deque<Double> latencies = new ArrayDeque<>();
    private long answered;
    private long failed;
    private long late;
    private WorkflowGraph graph;
    private UpwardRank rank;
    private boolean isDrawn = true;

    /** @param models of the service, by name */
    Workflow(WorkflowSpec spec, Map<String, Model> models, DelayModel delays) {
        this.spec = spec;
        this.delays = delays;
        names = spec.tasks().stream().map(TaskSpec::name).toList();
        this.models = spec.tasks().stream()
                .map(task -> Objects.requireNonNull(models.get(task.model())))
                .toList();
        for (int i = 0; i < names.size(); i++) {
            runMs.add(new Estimate(FIRST_MS));
            samples.add(new RunSample());
            outputKb.add(new Estimate(FIRST_KB));
        }
        wiring = TaskWiring.of(spec);
        graph = drawn();
        rank = UpwardRank.of(graph, delays);
    }

    private WorkflowGraph drawn() {
        List<QueryTask> tasks = new ArrayList<>();
        for (TaskSpec task : spec.tasks()) {
            List<Integer> before = wiring.get(tasks.size()).before();
            double inputKb =
                    before.stream().mapToDouble(id -> outputKb.get(id).value()).sum();
            tasks.add(new QueryTask(
                    tasks.size(),
                    task.name(),
                    List.of(models.get(tasks.size())),
                    runMs.get(tasks.size()).value(),
                    before.isEmpty() ? FIRST_KB : inputKb,
                    outputKb.get(tasks.size()).value(),
                    before));
        }
        return new WorkflowGraph(spec.name(), tasks);
    }

    /** @throws QueryException if these are no inputs of a query of it */
    void check(Map<String, Tensor> inputs) throws QueryException {
        for (TensorSpec spec : spec.inputs()) {
            Tensor tensor = inputs.get(spec.name());
            if (tensor == null) {
                throw new QueryException(QueryException.Kind.WRONG, "lacks its input '" + spec.name() + "'");
            }
            try {
                spec.check(tensor);
            } catch (TensorException e) {
                throw new QueryException(QueryException.Kind.WRONG, String.valueOf(e.getMessage()));
            }
        }
        List<String> known = spec.inputs().stream().map(TensorSpec::name).toList();
        Optional<String> unknown =
                inputs.keySet().stream().filter(name -> !known.contains(name)).findFirst();
        if (unknown.isPresent()) {
            throw new QueryException(
                    QueryException.Kind.WRONG, "has an input '" + unknown.get() + "', must have " + known + " alone");
        }
    }

    /** What a task takes, as another desk has measured it. */
    void learned(int task, double ms, double kb) {
        runMs.get(task).learned(ms);
        outputKb.get(task).learned(kb);
        isDrawn = false;
    }

    /** What its tasks take, as far as that is known. */
    List<Learned> learned() {
        List<Learned> all = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            if (runMs.get(i).isMeasured()) {
                all.add(new Learned(
                        spec.name(), i, runMs.get(i).value(), outputKb.get(i).value()));
            }
        }
        return all;
    }

    /** What became of its queries, with as many of the last latencies at most. */
    Tally tally(int most) {
        List<Double> last =
                latencies.stream().skip(Math.max(0, latencies.size() - most)).toList();
        return new Tally(spec.name(), answered, failed, late, last);
    }

    /** A task has run; queries that come from now on are planned with it. */
    void measured(int task, double ms, double kb) {
        runMs.get(task).measured(ms);
        samples.get(task).add(ms);
        outputKb.get(task).measured(kb);
        isDrawn = false;
    }

    /** Once for each query, whatever its tasks: they end far more often. */
    private void draw() {
        if (!isDrawn) {
            graph = drawn();
            rank = UpwardRank.of(graph, delays);
            isDrawn = true;
        }
    }

    /** It was answered, or not. */
    void ended(double latencyMs) {
        answered++;
        if (latencies.size() == MOST_LATENCIES) {
            latencies.removeFirst();
        }
        latencies.addLast(latencyMs);
    }

    void failed() {
        failed++;
    }

    void late() {
        late++;
    }

    /** What has ended until now does not count. */
    void forgetEnds() {
        answered = 0;
        failed = 0;
        late = 0;
        latencies.clear();
    }

    DeskFigures.WorkflowFigures figures() {
        List<DeskFigures.TaskFigures> tasks = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            tasks.add(new DeskFigures.TaskFigures(
                    names.get(i),
                    runMs.get(i).value(),
                    outputKb.get(i).value(),
                    runMs.get(i).isMeasured(),
                    runMs.get(i).count(),
                    runMs.get(i).sum(),
                    samples.get(i).quantiles()));
        }
        return new DeskFigures.WorkflowFigures(spec.name(), answered, failed, late, List.copyOf(latencies), tasks);
    }

    WorkflowSpec spec() {
        return spec;
    }

    WorkflowGraph graph() {
        draw();
        return graph;
    }

    UpwardRank rank() {
        draw();
        return rank;
    }

    TaskSpec task(int id) {
        return spec.tasks().get(id);
    }

    Model model(int task) {
        return models.get(task);
    }

    int id(String task) {
        return names.indexOf(task);
    }

    /** Which of its outputs a task gives to another, by what that calls them. */
    Map<String, String> passed(int from, int to) {
        return wiring.get(to).passed().getOrDefault(from, Map.of());
    }

    /** Which inputs of a query a task gets, by what it calls them. */
    Map<String, String> given(int task) {
        return wiring.get(task).given();
    }

    /** Outputs of a task that a query answers with. */
    List<String> answered(int task) {
        return wiring.get(task).answered();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import java.util.List;

/**
 * How a service is just now.
 *
 * @param active queries on their way
 * @param workMs that workers have done in all, those among them that are gone: tasks, and waiting for their models
 */
public record DeskFigures(
        int active, double workMs, List<Worker> workers, List<WorkflowFigures> workflows, List<LoadFigures> models) {
    public DeskFigures {
        models = List.copyOf(models);
        workers = List.copyOf(workers);
        workflows = List.copyOf(workflows);
    }

    /**
     * A worker that is connected.
     *
     * @param ingress port at which it answers queries itself; 0 where it does not
     * @param waitMs how long what it has been given takes
     * @param models ids of those that it holds
     * @param tasks that it has run since it started, as all that follows
     * @param loads of models, also of those that came ahead of their tasks
     * @param busyMs how long its tasks have run in all
     * @param isLeaving whether it gets nothing new
     */
    public record Worker(
            String host,
            int port,
            int ingress,
            double waitMs,
            int queued,
            List<Integer> models,
            double capacityKb,
            double freeKb,
            long tasks,
            long loads,
            double busyMs,
            boolean isLeaving) {}

    /**
     * A workflow, since the ApplicationMaster started; what workers have answered themselves counts since they began to.
     *
     * @param failed of a model, or of the service; queries that could not be answered as they were do not count
     * @param latenciesMs of the last ones that were answered, in their order
     */
    public record WorkflowFigures(
            String name, long answered, long failed, long late, List<Double> latenciesMs, List<TaskFigures> tasks) {
        public WorkflowFigures {
            latenciesMs = List.copyOf(latenciesMs);
            tasks = List.copyOf(tasks);
        }
    }

    /**
     * What a task takes, as it is known by now.
     *
     * @param runMs how long it runs
     * @param outputKb what it gives out
     * @param runs how often it has run
     * @param allRunMs how long all of them took together
     * @param runQuantilesMs of the last ones, from the least to the most in equal steps; empty where there are none
     */
    public record TaskFigures(
            String name,
            double runMs,
            double outputKb,
            boolean isMeasured,
            long runs,
            double allRunMs,
            List<Double> runQuantilesMs) {
        public TaskFigures {
            runQuantilesMs = List.copyOf(runQuantilesMs);
        }
    }

    /**
     * Loads of a model since the ApplicationMaster started.
     *
     * @param id of the model
     * @param loads how many
     * @param loadMs how long all of them took together
     */
    public record LoadFigures(int id, long loads, double loadMs) {}
}

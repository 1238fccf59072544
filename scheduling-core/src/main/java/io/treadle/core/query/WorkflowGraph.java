// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The steps of a kind of query, and which of them need the outputs of which others. */
public final class WorkflowGraph {
    private final String name;
    private final List<QueryTask> tasks;
    private final List<List<Integer>> successors;
    private final int[] depth;
    private final double bestMs;

    /**
     * @param tasks with the ids 0, 1, 2, …
     * @throws IllegalArgumentException if there is no task, ids are others, a predecessor does not exist, or tasks wait for
     *     each other in a circle, which the message names
     */
    public WorkflowGraph(String name, List<QueryTask> tasks) {
        this.name = name;
        this.tasks = List.copyOf(tasks);
        checkArgument(!tasks.isEmpty(), "workflow '%s' has no tasks, must have one or more", name);
        List<List<Integer>> following = new ArrayList<>();
        for (int i = 0; i < tasks.size(); i++) {
            following.add(new ArrayList<>());
        }
        for (int i = 0; i < tasks.size(); i++) {
            QueryTask task = tasks.get(i);
            checkArgument(task.id() == i, "workflow '%s': task %s has the id %s, must be %s", name, i, task.id(), i);
            for (int predecessor : task.predecessors()) {
                checkArgument(
                        predecessor >= 0 && predecessor < tasks.size(),
                        "workflow '%s': task '%s' waits for %s, must be among 0 to %s",
                        name,
                        task.name(),
                        predecessor,
                        tasks.size() - 1);
                following.get(predecessor).add(i);
            }
        }
        successors = following.stream().map(List::copyOf).toList();
        depth = new int[tasks.size()];
        bestMs = walk();
    }

    /** Depths, and the longest path. */
    private double walk() {
        double[] ends = new double[tasks.size()];
        int[] missing =
                tasks.stream().mapToInt(task -> task.predecessors().size()).toArray();
        List<Integer> ready = new ArrayList<>(entries());
        double longest = 0;
        for (int next = 0; next < ready.size(); next++) {
            int task = ready.get(next);
            ends[task] += tasks.get(task).runMs();
            longest = Math.max(longest, ends[task]);
            for (int successor : successors.get(task)) {
                ends[successor] = Math.max(ends[successor], ends[task]);
                depth[successor] = Math.max(depth[successor], depth[task] + 1);
                if (--missing[successor] == 0) {
                    ready.add(successor);
                }
            }
        }
        checkArgument(
                ready.size() == tasks.size(),
                "workflow '%s' has a circle: %s, must have none",
                name,
                ready.size() == tasks.size() ? "" : circle(missing));
        return longest;
    }

    /** @param missing above 0 for tasks that are in a circle, or wait for one that is */
    private String circle(int[] missing) {
        int at = 0;
        while (missing[at] == 0) {
            at++;
        }
        List<Integer> path = new ArrayList<>();
        while (!path.contains(at)) {
            path.add(at);
            // One of them is stuck too, else this one would not be.
            at = tasks.get(at).predecessors().stream()
                    .filter(predecessor -> missing[predecessor] > 0)
                    .findFirst()
                    .orElseThrow();
        }
        path.add(at);
        return path.subList(path.indexOf(at), path.size()).stream()
                .map(task -> "'" + tasks.get(task).name() + "'")
                .collect(Collectors.joining(" waits for "));
    }

    public String name() {
        return name;
    }

    public int size() {
        return tasks.size();
    }

    public QueryTask task(int id) {
        return tasks.get(id);
    }

    public List<QueryTask> tasks() {
        return tasks;
    }

    /** Tasks that need nothing but the query. */
    public List<Integer> entries() {
        return tasks.stream().filter(QueryTask::isEntry).map(QueryTask::id).toList();
    }

    /** Ids of all tasks, none before one that it waits for. */
    public List<Integer> order() {
        return IntStream.range(0, tasks.size())
                .boxed()
                .sorted(Comparator.comparingInt(this::depth))
                .toList();
    }

    /** By id. */
    public List<Integer> successors(int task) {
        return successors.get(task);
    }

    /** How many tasks are before it on the longest way to it. */
    int depth(int task) {
        return depth[task];
    }

    /** How long a query takes at best, with models and outputs wherever they are needed: the longest path. */
    public double bestMs() {
        return bestMs;
    }
}

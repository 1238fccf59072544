// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a service says of itself at a moment: what its tasks have taken and its models' loads, in all until then.
 *
 * @param tasks by {@code WORKFLOW/TASK}
 * @param models by name, in the order of their ids
 * @param memoryKb what models may take in a worker
 */
record ServiceProfile(Map<String, Runs> tasks, Map<String, Loads> models, double memoryKb) {
    /**
     * A task's.
     *
     * @param allMs how long all runs took together
     * @param quantilesMs of the last ones, in equal steps from the least to the most; empty where the service does not say
     */
    record Runs(long count, double allMs, double outputKb, List<Double> quantilesMs) {
        Runs {
            quantilesMs = List.copyOf(quantilesMs);
        }

        double meanMs() {
            return allMs / count;
        }

        private Runs since(Runs before) {
            // Nothing has run since: what is known is what was known.
            return count == before.count
                    ? this
                    : new Runs(count - before.count, allMs - before.allMs, outputKb, quantilesMs);
        }
    }

    /**
     * A model's.
     *
     * @param firstMs how long it took when the service started and loaded each once
     */
    record Loads(double kb, double firstMs, long count, double allMs) {
        double meanMs() {
            return count == 0 ? firstMs : allMs / count;
        }

        private Loads since(Loads before) {
            return count == before.count ? this : new Loads(kb, firstMs, count - before.count, allMs - before.allMs);
        }
    }

    /** @param status as docs/spec describes it: what {@code treadle status} reads */
    static ServiceProfile of(JsonNode status) {
        Map<String, Runs> tasks = new LinkedHashMap<>();
        for (JsonNode workflow : status.path("workflows")) {
            for (JsonNode task : workflow.path("tasks")) {
                tasks.put(
                        workflow.path("name").asText() + "/" + task.path("name").asText(),
                        new Runs(
                                task.path("runs").asLong(),
                                task.path("allRunMs").asDouble(),
                                task.path("outputKb").asDouble(),
                                quantiles(task.path("runQuantilesMs"))));
            }
        }
        Map<String, Loads> models = new LinkedHashMap<>();
        for (JsonNode model : status.path("models")) {
            models.put(
                    model.path("name").asText(),
                    new Loads(
                            model.path("memoryKb").asDouble(),
                            model.path("loadMs").asDouble(),
                            model.path("loads").asLong(),
                            model.path("allLoadMs").asDouble()));
        }
        return new ServiceProfile(
                tasks, models, status.path("workers").path(0).path("memoryKb").asDouble());
    }

    private static List<Double> quantiles(JsonNode told) {
        List<Double> quantiles = new ArrayList<>();
        told.forEach(each -> quantiles.add(each.asDouble()));
        return quantiles;
    }

    /** What has happened since an earlier moment; of what has not happened since, all. */
    ServiceProfile since(ServiceProfile before) {
        Map<String, Runs> newTasks = new LinkedHashMap<>();
        tasks.forEach((name, runs) ->
                newTasks.put(name, before.tasks.containsKey(name) ? runs.since(before.tasks.get(name)) : runs));
        Map<String, Loads> newModels = new LinkedHashMap<>();
        models.forEach((name, loads) ->
                newModels.put(name, before.models.containsKey(name) ? loads.since(before.models.get(name)) : loads));
        return new ServiceProfile(newTasks, newModels, memoryKb);
    }
}

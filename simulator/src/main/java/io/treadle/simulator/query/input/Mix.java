// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.input;

import io.treadle.core.query.WorkflowGraph;
import io.treadle.simulator.input.InputException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** How often each workflow is asked for. */
public final class Mix {
    private final List<WorkflowGraph> graphs;
    private final double[] upTo;

    private Mix(List<WorkflowGraph> graphs, double[] weights) {
        this.graphs = List.copyOf(graphs);
        upTo = new double[weights.length];
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += weights[i];
            upTo[i] = sum;
        }
    }

    /** All alike. */
    public static Mix even(List<WorkflowGraph> graphs) {
        return new Mix(graphs, graphs.stream().mapToDouble(graph -> 1).toArray());
    }

    /**
     * @param weights by name; workflows that are not named do not come
     * @throws InputException if a name is that of no workflow, or no weight is above 0
     */
    public static Mix of(List<WorkflowGraph> graphs, Map<String, Double> weights) {
        List<String> names = graphs.stream().map(WorkflowGraph::name).toList();
        weights.forEach((name, weight) -> {
            if (!names.contains(name)) {
                throw new InputException("--mix names '" + name + "', must be among the workflows: "
                        + names.stream().collect(Collectors.joining(", ")) + ".");
            }
            if (!(weight >= 0 && Double.isFinite(weight))) {
                throw new InputException("--mix gives '" + name + "' the weight " + weight + ", must be 0 or above.");
            }
        });
        double[] all = names.stream()
                .mapToDouble(name -> weights.getOrDefault(name, 0.0))
                .toArray();
        Mix mix = new Mix(graphs, all);
        if (!(mix.upTo[mix.upTo.length - 1] > 0)) {
            throw new InputException("--mix has no weight above 0, must have one or more.");
        }
        return mix;
    }

    WorkflowGraph draw(Random random) {
        double at = random.nextDouble() * upTo[upTo.length - 1];
        int place = 0;
        while (upTo[place] <= at) {
            place++;
        }
        return graphs.get(place);
    }
}

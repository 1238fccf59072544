// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The models of the GPUs that the cluster's nodes have. */
final class ClusterGpus {
    private ClusterGpus() {}

    /**
     * What to say of a profile that no job of this cluster starts from, as its GPU model is none of its nodes'.
     *
     * @param answer the ResourceManager's on its nodes
     * @param gpuModel several joined by {@code +}; empty for jobs without GPUs
     * @return empty where there are such GPUs, or where nodes do not tell theirs
     */
    static Optional<String> missing(JsonNode answer, String gpuModel) {
        Set<String> models = new TreeSet<>();
        boolean told = true;
        for (JsonNode node : answer.path("nodes")) {
            told &= node.path("capacity").path("gpus").asLong() == 0
                    || !node.path("devices").isEmpty();
            node.path("devices")
                    .forEach(device -> models.add(device.path("model").asText()));
        }
        boolean there = gpuModel.isEmpty()
                || models.contains(gpuModel)
                || models.containsAll(List.of(gpuModel.split("\\+", -1)));
        return there || !told || models.isEmpty()
                ? Optional.empty()
                : Optional.of("no node has a GPU of model '" + gpuModel
                        + "' now, so no job will start from it; there are " + String.join(", ", models));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.treadle.core.resource.ResourceVector;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.util.UnitsConversionUtil;

/**
 * The largest container that YARN grants: of each resource the most that a running node has, or the limit of the
 * scheduler's settings where that is less. YARN itself tells it only together with a new application id, which would be
 * used up.
 */
final class LargestContainer {
    private static final long NONE = Long.MAX_VALUE;

    private final YarnGateway gateway;
    private final ResourceManagerRest rest;

    LargestContainer(YarnGateway gateway, ResourceManagerRest rest) {
        this.gateway = gateway;
        this.rest = rest;
    }

    ResourceVector find() throws IOException, YarnException {
        List<NodeReport> nodes = gateway.runningNodes();
        ResourceVector limits = limits();
        return nodes.stream()
                .map(node -> YarnResources.toVector(node.getCapability()))
                .reduce(ResourceVector::max)
                .map(limits::min)
                .orElse(limits);
    }

    /** The limits of the scheduler's settings for one container; no limit where it does not say. */
    ResourceVector limits() {
        JsonNode most;
        try {
            most = rest.askYarn("/ws/v1/cluster/scheduler")
                    .json()
                    .<JsonNode>map(json -> json.at("/scheduler/schedulerInfo/maximumAllocation"))
                    .orElse(MissingNode.getInstance());
        } catch (ClientException e) {
            most = MissingNode.getInstance();
        }
        return new ResourceVector(
                amount(most, YarnResources.GPU, ""),
                most.path("vCores").asLong(NONE),
                most.path("memory").asLong(NONE),
                amount(most, YarnResources.GPU_MEMORY, "Mi"),
                amount(most, YarnResources.STORAGE_BANDWIDTH, ""),
                amount(most, YarnResources.POWER, ""));
    }

    private static long amount(JsonNode most, String type, String unit) {
        for (JsonNode each : most.at("/resourceInformations/resourceInformation")) {
            if (each.path("name").asText().equals(type)) {
                long value = each.path("value").asLong(NONE);
                String own = each.path("units").asText("");
                return unit.isEmpty() || own.equals(unit) || value == NONE
                        ? value
                        : UnitsConversionUtil.convert(own, unit, value);
            }
        }
        return NONE;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.protocol;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A worker's place in its gang for one start, and what to run there.
 *
 * @param rank place in the whole gang, from 0
 * @param worldSize workers of all groups
 * @param group name of the task group
 * @param groupRank place in the task group, from 0
 * @param groupSize workers of the task group
 * @param masterAddress host of rank 0
 * @param masterPort a port that was free there
 * @param restartCount how often the gang was started before
 * @param maxRestarts how often workers may fail
 * @param runId the job's id, the same over all starts
 * @param command shell command line
 * @param checkpointDir directory or URI on shared storage
 * @param environment the user's variables
 * @param addresses {@code host:port} of every worker, by task group in the job's order, each list in the order of ranks in
 *     the group; empty for a worker that runs already, and in gangs that are too large to list
 * @param joinedAfter of a worker that joins a start that runs, samples that its place had done before; else -1
 */
public record Assignment(
        int rank,
        int worldSize,
        String group,
        int groupRank,
        int groupSize,
        String masterAddress,
        int masterPort,
        int restartCount,
        int maxRestarts,
        String runId,
        String command,
        String checkpointDir,
        Map<String, String> environment,
        Map<String, List<String>> addresses,
        long joinedAfter) {
    public Assignment {
        environment = Map.copyOf(environment);
        addresses = new LinkedHashMap<>(addresses);
    }

    @Override
    public Map<String, List<String>> addresses() {
        return Collections.unmodifiableMap(addresses);
    }

    ObjectNode toNode() {
        ObjectNode json = Json.object()
                .put("rank", rank)
                .put("worldSize", worldSize)
                .put("group", group)
                .put("groupRank", groupRank)
                .put("groupSize", groupSize)
                .put("masterAddress", masterAddress)
                .put("masterPort", masterPort)
                .put("restartCount", restartCount)
                .put("maxRestarts", maxRestarts)
                .put("runId", runId)
                .put("command", command)
                .put("checkpointDir", checkpointDir)
                .put("joinedAfter", joinedAfter);
        Json.putTexts(json, "environment", environment);
        if (!addresses.isEmpty()) {
            ObjectNode groups = json.putObject("addresses");
            addresses.forEach((name, list) -> list.forEach(groups.withArray(name)::add));
        }
        return json;
    }

    static Assignment fromNode(ObjectNode json) {
        return new Assignment(
                Json.smallInteger(json, "rank"),
                Json.smallInteger(json, "worldSize"),
                Json.text(json, "group"),
                Json.smallInteger(json, "groupRank"),
                Json.smallInteger(json, "groupSize"),
                Json.text(json, "masterAddress"),
                Json.smallInteger(json, "masterPort"),
                Json.smallInteger(json, "restartCount"),
                Json.smallInteger(json, "maxRestarts"),
                Json.text(json, "runId"),
                Json.text(json, "command"),
                Json.text(json, "checkpointDir"),
                Json.texts(json, "environment"),
                addresses(json),
                json.path("joinedAfter").asLong(-1));
    }

    private static Map<String, List<String>> addresses(ObjectNode json) {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        json.path("addresses").fields().forEachRemaining(entry -> {
            List<String> list = new ArrayList<>();
            entry.getValue().forEach(address -> list.add(address.asText()));
            groups.put(entry.getKey(), list);
        });
        return groups;
    }
}

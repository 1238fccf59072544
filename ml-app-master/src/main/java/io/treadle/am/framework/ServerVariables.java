// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.framework;

import io.treadle.am.protocol.Assignment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What jobs with a task group {@code ps} find of each other: {@code DMLC_*} as ps-lite reads it (MXNet, BytePS), and names for
 * {@code torch.distributed.rpc}, which meets at {@code MASTER_ADDR}. ps-lite also needs a scheduler: the task of a group
 * {@code scheduler}, or where there is none whatever rank 0 starts beside itself on its {@code MASTER_PORT}.
 */
public final class ServerVariables {
    private static final String SERVER = "ps";
    private static final String SCHEDULER = "scheduler";
    private static final Map<String, String> ROLES =
            Map.of("worker", "worker", SERVER, "server", SCHEDULER, "scheduler");

    private ServerVariables() {}

    public static Map<String, String> of(Assignment assignment) {
        Map<String, List<String>> addresses = assignment.addresses();
        Map<String, String> variables = new LinkedHashMap<>();
        if (!addresses.containsKey(SERVER)) {
            return variables;
        }
        variables.put("TREADLE_WORKERS", String.join(",", addresses.getOrDefault("worker", List.of())));
        variables.put("TREADLE_SERVERS", String.join(",", addresses.getOrDefault(SERVER, List.of())));
        variables.put("TREADLE_RPC_NAME", assignment.group() + assignment.groupRank());
        String role = ROLES.get(assignment.group());
        if (role != null) {
            String root = addresses.getOrDefault(SCHEDULER, List.of()).stream()
                    .findFirst()
                    .orElse(assignment.masterAddress() + ":" + assignment.masterPort());
            int colon = root.lastIndexOf(':');
            variables.put("DMLC_ROLE", role);
            variables.put("DMLC_PS_ROOT_URI", root.substring(0, colon));
            variables.put("DMLC_PS_ROOT_PORT", root.substring(colon + 1));
            variables.put("DMLC_NUM_WORKER", Integer.toString(size(addresses, "worker")));
            variables.put("DMLC_NUM_SERVER", Integer.toString(size(addresses, SERVER)));
        }
        return variables;
    }

    private static int size(Map<String, List<String>> addresses, String group) {
        return addresses.getOrDefault(group, List.of()).size();
    }
}

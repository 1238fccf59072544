// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.framework;

import io.treadle.am.protocol.Assignment;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The variables that {@code torchrun} sets, for one process a container (PyTorch's {@code torch.distributed.elastic}).
 * Every container is one torchelastic node, so the node's rank ({@code GROUP_RANK}) is the worker's, and the GPUs of the
 * container are numbered from 0 by the {@link io.treadle.core.wire.DeviceVendor}'s variable, so the local rank is 0.
 */
public final class TorchVariables {
    private TorchVariables() {}

    public static Map<String, String> of(Assignment assignment) {
        String rank = Integer.toString(assignment.rank());
        String worldSize = Integer.toString(assignment.worldSize());
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("RANK", rank);
        variables.put("WORLD_SIZE", worldSize);
        variables.put("LOCAL_RANK", "0");
        variables.put("LOCAL_WORLD_SIZE", "1");
        variables.put("GROUP_RANK", rank);
        variables.put("GROUP_WORLD_SIZE", worldSize);
        variables.put("ROLE_NAME", assignment.group());
        variables.put("ROLE_RANK", Integer.toString(assignment.groupRank()));
        variables.put("ROLE_WORLD_SIZE", Integer.toString(assignment.groupSize()));
        variables.put("MASTER_ADDR", assignment.masterAddress());
        variables.put("MASTER_PORT", Integer.toString(assignment.masterPort()));
        variables.put("TORCHELASTIC_RESTART_COUNT", Integer.toString(assignment.restartCount()));
        variables.put("TORCHELASTIC_MAX_RESTARTS", Integer.toString(assignment.maxRestarts()));
        variables.put("TORCHELASTIC_RUN_ID", assignment.runId());
        // Rank 0 of the job opens the store itself, on MASTER_PORT.
        variables.put("TORCHELASTIC_USE_AGENT_STORE", "False");
        return variables;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.rm.gang.Gang;
import java.util.List;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;
import org.jspecify.annotations.Nullable;

/** What the ApplicationMaster of a job with task groups may ask for. */
public final class GangAsks {
    private GangAsks() {}

    /**
     * @throws YarnRuntimeException if it sends scheduling requests, which no plan would ever grant:
     *     Hadoop answers its heartbeat with it, and nothing of the heartbeat is carried out
     */
    public static void refuseIn(Gang gang, @Nullable List<SchedulingRequest> requests) {
        if (requests != null && !requests.isEmpty()) {
            throw RefusedRequest.of("treadle: application " + gang.id()
                    + " has task groups and sent scheduling request "
                    + requests.get(0).getAllocationRequestId()
                    + "; its containers are granted for resource requests of its task groups alone."
                    + "\nMaybe submit what needs placement constraints as an application of its own.");
        }
    }
}

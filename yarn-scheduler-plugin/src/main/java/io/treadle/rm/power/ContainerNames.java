// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ContainerId;

/** A container's id says whose it is. */
final class ContainerNames {
    private ContainerNames() {}

    /** The application's id; empty where YARN gives no such names. */
    static Optional<String> application(String container) {
        try {
            return Optional.of(ContainerId.fromString(container)
                    .getApplicationAttemptId()
                    .getApplicationId()
                    .toString());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}

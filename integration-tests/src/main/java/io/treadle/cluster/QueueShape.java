// SPDX-License-Identifier: Apache-2.0
package io.treadle.cluster;

import java.util.Optional;

/**
 * A leaf queue under root that may use the whole cluster.
 *
 * @param name the queue's name, without {@code root.}
 * @param policy Treadle's policy for it; empty for plain CapacityScheduler
 */
public record QueueShape(String name, Optional<String> policy) {
    public static QueueShape plain(String name) {
        return new QueueShape(name, Optional.empty());
    }

    public static QueueShape of(String name, String policy) {
        return new QueueShape(name, Optional.of(policy));
    }
}

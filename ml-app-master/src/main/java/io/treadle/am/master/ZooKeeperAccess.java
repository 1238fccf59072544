// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.core.wire.JobProgressRecord;
import io.treadle.core.wire.MemoryRecord;
import io.treadle.core.wire.ProfileRecord;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The job's node in ZooKeeper, or its absence. */
record ZooKeeperAccess(Optional<ZooKeeperJobNode> zooKeeper) implements AutoCloseable {
    JobNode node() {
        return zooKeeper.isPresent()
                ? zooKeeper.get()
                : new JobNode() {
                    @Override
                    public void publish(ProfileRecord profile) {}

                    @Override
                    public void publish(JobProgressRecord progress) {}

                    @Override
                    public void publish(MemoryRecord given) {}
                };
    }

    void followMemory(BooleanSupplier wanted, Consumer<MemoryRecord> then) {
        zooKeeper.ifPresent(node -> node.followMemory(wanted, then));
    }

    void awaitKnownProfile(String modelTag, long patienceMs, Consumer<Optional<ProfileRecord>> then) {
        if (zooKeeper.isPresent()) {
            zooKeeper.get().awaitKnownProfile(modelTag, patienceMs, then);
        } else {
            then.accept(Optional.empty());
        }
    }

    void flush() {
        zooKeeper.ifPresent(ZooKeeperJobNode::flush);
    }

    @Override
    public void close() {
        zooKeeper.ifPresent(ZooKeeperJobNode::close);
    }
}

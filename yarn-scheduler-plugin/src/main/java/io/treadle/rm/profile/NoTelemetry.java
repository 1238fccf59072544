// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import io.treadle.core.wire.JobProgressRecord;
import io.treadle.core.wire.MemoryRecord;
import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.ProfileRecord;
import java.util.Optional;

/** A cluster without ZooKeeper: GPUs are counted, speeds are unknown, every job runs at its share. */
public class NoTelemetry implements Telemetry {
    @Override
    public Optional<NodeRecord> node(String hostAndPort) {
        return Optional.empty();
    }

    @Override
    public boolean knowsNodes() {
        return false;
    }

    @Override
    public Optional<ProfileRecord> profile(String applicationId) {
        return Optional.empty();
    }

    @Override
    public Optional<ProfileRecord> known(String applicationId) {
        return Optional.empty();
    }

    @Override
    public Optional<MemoryRecord> memoryGiven(String applicationId) {
        return Optional.empty();
    }

    @Override
    public Optional<JobProgressRecord> progress(String applicationId) {
        return Optional.empty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm;

import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.profile.NoTelemetry;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Every node has said that it has the same devices, and nobody else has said anything. */
public class KnownDevices extends NoTelemetry {
    private static final long MEMORY_MIB = 40_960;

    private final List<NodeRecord.Device> devices;

    /** @param devices read at each question: a test may change them */
    public KnownDevices(List<NodeRecord.Device> devices) {
        this.devices = devices;
    }

    /** Devices that work. */
    public static KnownDevices of(String... uuids) {
        return new KnownDevices(
                Stream.of(uuids).map(uuid -> device(uuid, NodeRecord.Health.OK)).toList());
    }

    /** Of 40 GiB. */
    public static NodeRecord.Device device(String uuid, NodeRecord.Health health) {
        return new NodeRecord.Device(uuid, 0, "A100", MEMORY_MIB, true, health, 0, 0, 0, 0, 0, 0, List.of());
    }

    @Override
    public boolean knowsNodes() {
        return true;
    }

    @Override
    public Optional<NodeRecord> node(String hostAndPort) {
        return Optional.of(new NodeRecord(hostAndPort, 1, devices));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.profile.NoTelemetry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What nodes say of their GPUs, as it comes from ZooKeeper. While ZooKeeper is away the scheduler keeps what was said
 * before. A ResourceManager that starts meanwhile waits a few seconds and then goes on without, as with the real one.
 */
final class SimulatedRecords extends NoTelemetry {
    private static final long PATIENCE_MS = 5_000;
    private static final long MEMORY_MIB = 40_960;

    private final SimulatedTime time;
    private final Map<String, NodeRecord> written = new HashMap<>();
    private final Map<String, NodeRecord> read = new HashMap<>();
    private boolean away;
    private boolean complete = true;
    private long startedMs;

    SimulatedRecords(SimulatedTime time) {
        this.time = time;
    }

    static String uuid(String node, int index) {
        return "GPU-" + node.substring(node.indexOf(':') + 1) + "-" + index;
    }

    /** The node's plugin writes its record. */
    void write(String node, int gpus, java.util.Set<Integer> lost) {
        List<NodeRecord.Device> devices = IntStream.range(0, gpus)
                .mapToObj(i -> new NodeRecord.Device(
                        uuid(node, i),
                        i,
                        "A100",
                        MEMORY_MIB,
                        true,
                        lost.contains(i) ? NodeRecord.Health.LOST : NodeRecord.Health.OK,
                        60,
                        400,
                        0,
                        0,
                        30,
                        0,
                        List.of()))
                .toList();
        written.put(node, new NodeRecord(node, 1, devices));
        sync();
    }

    /** The node is gone, and its record with it. */
    void delete(String node) {
        written.remove(node);
        sync();
    }

    void goAway() {
        away = true;
    }

    void comeBack() {
        away = false;
        complete = true;
        sync();
    }

    /** A new ResourceManager reads everything again. */
    void readAgain() {
        read.clear();
        complete = !away;
        startedMs = time.millis();
        sync();
    }

    private void sync() {
        if (!away) {
            read.clear();
            read.putAll(written);
        }
    }

    boolean isReady() {
        return complete || time.millis() - startedMs > PATIENCE_MS;
    }

    @Override
    public boolean knowsNodes() {
        return true;
    }

    @Override
    public Optional<NodeRecord> node(String hostAndPort) {
        return Optional.ofNullable(read.get(hostAndPort));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeInventory;
import io.treadle.core.wire.NodePower;
import io.treadle.core.wire.NodeRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks every second at what the nodes say that they draw. */
final class PowerWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PowerWatch.class);

    /**
     * @param atMs ms since the epoch
     * @param watts of all nodes with their GPUs, W
     * @param leastCapWatts the lowest cap in force on a GPU, W
     * @param heldGpus GPUs that containers hold
     */
    record Sample(long atMs, double watts, double leastCapWatts, int heldGpus) {}

    private final NodeInventory inventory;
    private final List<Sample> samples = new ArrayList<>();
    /** By node and container: a container is on one node. */
    private final Map<String, Long> millijoules = new HashMap<>();

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "power-watch");
        made.setDaemon(true);
        return made;
    });

    @SuppressWarnings("FutureReturnValueIgnored") // look lets nothing escape
    PowerWatch(EmbeddedCluster cluster) {
        inventory = new NodeInventory(cluster);
        thread.scheduleWithFixedDelay(this::look, 0, 1, TimeUnit.SECONDS);
    }

    private void look() {
        try {
            take(inventory.records(), System.currentTimeMillis());
        } catch (Exception e) { // NodeInventory declares no narrower type; the next look may go right.
            LOG.warn("the nodes' draws cannot be read", e);
        }
    }

    private synchronized void take(Map<String, NodeRecord> records, long nowMs) {
        double watts = 0;
        double leastCap = Double.POSITIVE_INFINITY;
        int held = 0;
        for (NodeRecord record : records.values()) {
            watts += record.power().map(NodePower::watts).orElse(0.0);
            record.power().ifPresent(power -> millijoules.putAll(power.containers()));
            for (NodeRecord.Device device : record.devices()) {
                leastCap = Math.min(
                        leastCap,
                        device.power().map(power -> power.effectiveCapWatts()).orElse(leastCap));
                held += device.containers().isEmpty() ? 0 : 1;
            }
        }
        samples.add(new Sample(nowMs, watts, leastCap, held));
    }

    synchronized List<Sample> samples() {
        return List.copyOf(samples);
    }

    /** What the GPUs of an application's containers have spent, J. */
    synchronized double joules(String applicationId) {
        String containers = applicationId.replace("application_", "_");
        return millijoules.entrySet().stream()
                        .filter(entry -> entry.getKey().contains(containers + "_"))
                        .mapToLong(Map.Entry::getValue)
                        .sum()
                / 1000.0;
    }

    /** The highest mean draw of any minute, W; of all of the time where that is less. */
    static double highestMinute(List<Sample> samples) {
        double highest = 0;
        for (int from = 0; from < samples.size(); from++) {
            double sum = 0;
            int to = from;
            while (to < samples.size()
                    && samples.get(to).atMs() - samples.get(from).atMs() < 60_000) {
                sum += samples.get(to++).watts();
            }
            boolean whole = to < samples.size() || from == 0;
            highest = whole ? Math.max(highest, sum / (to - from)) : highest;
        }
        return highest;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

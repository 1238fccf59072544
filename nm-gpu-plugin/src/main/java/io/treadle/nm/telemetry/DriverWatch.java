// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.nm.device.DeviceBook;
import io.treadle.nm.device.DeviceProbe;
import io.treadle.nm.device.DeviceProvider;
import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks again, on a node that has started without GPUs, whether a driver works by now. A NodeManager cannot register more
 * than it has begun with, so such devices are given to no container and are not in the node's record: the log says what to
 * do, and the metrics show them. Used by one thread.
 */
public final class DriverWatch {
    private static final Logger LOG = LoggerFactory.getLogger(DriverWatch.class);

    private final Supplier<DeviceProbe.Discovery> probe;
    private final Clock clock;
    private final long intervalMs;
    private List<String> notes;
    private long lastMs;
    private @Nullable Found found;

    private record Found(DeviceProvider provider, DeviceMonitor monitor, DeviceMetrics metrics) {}

    /**
     * @param notes why there were no devices at start
     * @param intervalMs time between two attempts, ms
     */
    public DriverWatch(Supplier<DeviceProbe.Discovery> probe, List<String> notes, Clock clock, long intervalMs) {
        this.probe = probe;
        this.notes = List.copyOf(notes);
        this.clock = clock;
        this.intervalMs = intervalMs;
        this.lastMs = clock.millis();
    }

    /** @param node {@code host:port} of the NodeManager */
    public void look(String node) {
        if (found == null && clock.millis() - lastMs >= intervalMs) {
            lastMs = clock.millis();
            found = attempt();
        }
        Found late = found;
        if (late != null) {
            late.monitor().read();
            late.metrics().update(late.monitor().record(node));
        }
    }

    /** True once a driver works. */
    public boolean hasFound() {
        return found != null;
    }

    public void close() {
        Found late = found;
        if (late != null) {
            late.metrics().close();
            late.provider().close();
        }
    }

    private @Nullable Found attempt() {
        DeviceProbe.Discovery now = probe.get();
        DeviceProvider provider = now.provider();
        if (provider.devices().isEmpty()) {
            if (!now.notes().equals(notes)) {
                LOG.info("still no GPUs: {}", String.join("; ", now.notes()));
                notes = now.notes();
            }
            return null;
        }
        LOG.warn(
                "{} works now and finds {}. This NodeManager has registered without them, and containers do not get"
                        + " them.\nMaybe restart it: with yarn.nodemanager.recovery.enabled its containers run on",
                provider.name(),
                provider.devices());
        return new Found(
                provider,
                new DeviceMonitor(provider, new DeviceBook(List.of()), clock),
                new DeviceMetrics(provider.name()));
    }
}

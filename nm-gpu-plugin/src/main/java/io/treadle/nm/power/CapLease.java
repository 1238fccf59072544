// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import io.treadle.core.wire.NodeCaps;
import java.time.Clock;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the ResourceManager wants, for as long as it is heard. Records come in any order: one whose epoch is not above the
 * last one's is no renewal and changes nothing. Safe for use by several threads.
 */
public final class CapLease {
    private static final Logger LOG = LoggerFactory.getLogger(CapLease.class);

    private final Clock clock;
    private @Nullable NodeCaps current;
    private long sinceMs;
    private long highestEpoch;

    public CapLease(Clock clock) {
        this.clock = clock;
    }

    /** @return false if the record is not newer than the last one, or from a time that has not come */
    public synchronized boolean offer(NodeCaps caps) {
        if (caps.epoch() > clock.millis() + NodeCaps.MOST_AHEAD_MS) {
            LOG.warn(
                    "caps with epoch {} are ignored: epochs are times, and this node's clock says {}.\nMaybe this clock is"
                            + " wrong, or somebody else has written to ZooKeeper",
                    caps.epoch(),
                    clock.millis());
            return false;
        }
        if (caps.epoch() <= highestEpoch) {
            if (caps.epoch() < highestEpoch) {
                LOG.warn(
                        "caps with epoch {} are ignored: {} was here already.\nMaybe a ResourceManager that has been"
                                + " replaced goes on writing",
                        caps.epoch(),
                        highestEpoch);
            }
            return false;
        }
        highestEpoch = caps.epoch();
        current = caps;
        sinceMs = clock.millis();
        return true;
    }

    /** The ResourceManager has taken its record away: it wants no caps any more. */
    public synchronized void withdraw() {
        if (current != null) {
            LOG.info("caps of epoch {} are withdrawn", highestEpoch);
            current = null;
        }
    }

    /** W by UUID; empty where nothing is wanted or nobody has been heard for the length of the lease. */
    synchronized Map<String, Double> wanted() {
        NodeCaps caps = current;
        if (caps == null) {
            return Map.of();
        }
        long now = clock.millis();
        // A clock that was set back must not make the lease longer than it is.
        sinceMs = Math.min(sinceMs, now);
        if (now - sinceMs >= caps.leaseMs()) {
            // A ResourceManager that wants no caps any more says so once and renews nothing.
            if (!caps.caps().isEmpty()) {
                LOG.warn(
                        "nothing newer than the caps of epoch {} for {} ms: GPUs get their own limits back.\nMaybe the"
                                + " ResourceManager or ZooKeeper is away",
                        caps.epoch(),
                        caps.leaseMs());
            }
            current = null;
            return Map.of();
        }
        return caps.caps();
    }

    /** Epoch of the caps that hold; 0 where none do. */
    synchronized long epoch() {
        return current == null ? 0 : highestEpoch;
    }
}

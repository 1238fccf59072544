// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power.helper;

import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.device.PowerLimitException;
import io.treadle.nm.device.PowerLimitException.Reason;
import io.treadle.nm.device.PowerLimits;
import io.treadle.nm.power.CapJournal;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The GPUs behind the helper, each with the limit that it had when the helper started: none is ever set above that, and each
 * gets it back when the client that set it is gone. Safe for use by several threads.
 */
final class HelperDevices {
    private static final Logger LOG = LoggerFactory.getLogger(HelperDevices.class);

    private final DeviceProvider provider;
    private final CapJournal journal;
    private final Map<String, Long> own = new HashMap<>();
    private final Map<String, Object> setBy = new HashMap<>();

    private HelperDevices(DeviceProvider provider, CapJournal journal) {
        this.provider = provider;
        this.journal = journal;
    }

    /**
     * Restores what a helper before has left capped, then takes each limit that is there for the GPU's own.
     *
     * @throws IOException if the journal cannot be used: own limits could not be kept
     */
    static HelperDevices open(DeviceProvider provider, CapJournal journal) throws IOException {
        HelperDevices devices = new HelperDevices(provider, journal);
        CapJournal.Found found = journal.open();
        if (found instanceof CapJournal.Left left) {
            LOG.warn(
                    "the helper before was killed while GPUs were capped; own limits to restore, mW: {}",
                    left.limits());
            devices.own.putAll(left.limits());
            left.limits().keySet().forEach(devices::giveBack);
        } else if (found instanceof CapJournal.Unreadable unreadable) {
            LOG.error(
                    "{}. It is kept as {}. GPUs whose limit is below their default get their default",
                    unreadable.why(),
                    unreadable.kept());
            provider.devices().forEach(devices::raiseToDefault);
        }
        provider.devices().forEach(device -> devices.ownLimit(device.uuid()));
        LOG.info("own limits, mW: {}", devices.own);
        return devices;
    }

    private void raiseToDefault(GpuDevice device) {
        try {
            PowerLimits limits = provider.limits(device.uuid());
            if (limits.setMilliwatts() < limits.defaultMilliwatts()) {
                provider.setLimit(device.uuid(), limits.defaultMilliwatts());
            }
        } catch (PowerLimitException e) {
            LOG.error("{} keeps its limit: {}", device.uuid(), e.getMessage());
        }
    }

    /** 0 where it cannot be read yet. */
    private long ownLimit(String uuid) {
        Long known = own.get(uuid);
        if (known != null) {
            return known;
        }
        try {
            long now = provider.limits(uuid).setMilliwatts();
            own.put(uuid, now);
            return now;
        } catch (PowerLimitException e) {
            LOG.warn("{} cannot be limited now: {}", uuid, e.getMessage());
            return 0;
        }
    }

    synchronized PowerLimits limits(String uuid) throws PowerLimitException {
        PowerLimits limits = read(uuid);
        long most = ownLimit(uuid);
        return new PowerLimits(
                limits.minMilliwatts(),
                Math.min(limits.maxMilliwatts(), most),
                limits.defaultMilliwatts(),
                limits.setMilliwatts(),
                limits.enforcedMilliwatts());
    }

    private PowerLimits read(String uuid) throws PowerLimitException {
        try {
            return provider.limits(uuid);
        } catch (PowerLimitException e) {
            if (e.reason() == Reason.LOST) {
                // Readings are what makes NVML look for GPUs anew after a while.
                provider.read(Set.of());
            }
            throw e;
        }
    }

    /**
     * Brings the limit into what is allowed, and sets it.
     *
     * @param client on whose end the GPU's own limit comes back
     */
    synchronized PowerLimits set(String uuid, long milliwatts, Object client) throws PowerLimitException {
        Object other = setBy.get(uuid);
        if (other != null && other != client) {
            throw new PowerLimitException(Reason.FAILED, "another client sets the limit of " + uuid);
        }
        PowerLimits allowed = limits(uuid);
        if (allowed.maxMilliwatts() <= 0) {
            throw new PowerLimitException(Reason.FAILED, "the own limit of " + uuid + " is not known");
        }
        long clamped = Math.max(allowed.minMilliwatts(), Math.min(allowed.maxMilliwatts(), milliwatts));
        try {
            journal.put(uuid, ownLimit(uuid));
        } catch (IOException e) {
            throw new PowerLimitException(Reason.FAILED, "own limits cannot be kept: " + e, e);
        }
        setBy.put(uuid, client);
        provider.setLimit(uuid, clamped);
        return limits(uuid);
    }

    synchronized PowerLimits restore(String uuid, Object client) throws PowerLimitException {
        Object other = setBy.get(uuid);
        if (other != null && other != client) {
            throw new PowerLimitException(Reason.FAILED, "another client sets the limit of " + uuid);
        }
        if (journal.has(uuid)) {
            provider.setLimit(uuid, ownLimit(uuid));
            forget(uuid);
        }
        return limits(uuid);
    }

    /** The client is gone: what it has set is taken back. */
    synchronized void release(Object client) {
        Set<String> uuids = new TreeSet<>();
        setBy.forEach((uuid, by) -> {
            if (by == client) {
                uuids.add(uuid);
            }
        });
        uuids.forEach(this::giveBack);
    }

    /** At the end of the helper itself. */
    synchronized void releaseAll() {
        Set.copyOf(setBy.keySet()).forEach(this::giveBack);
    }

    private void giveBack(String uuid) {
        try {
            provider.setLimit(uuid, ownLimit(uuid));
            forget(uuid);
            LOG.info("{} has its own limit of {} mW back", uuid, own.get(uuid));
        } catch (PowerLimitException e) {
            setBy.remove(uuid);
            LOG.error("{} cannot be given its own limit back: {}; the next start tries again", uuid, e.getMessage());
        }
    }

    private void forget(String uuid) {
        setBy.remove(uuid);
        try {
            journal.remove(uuid);
        } catch (IOException e) {
            LOG.warn("{} is restored, but stays in {}: {}", uuid, journal.file(), e.toString());
        }
    }
}

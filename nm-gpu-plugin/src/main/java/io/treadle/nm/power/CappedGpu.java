// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.device.PowerLimitException;
import io.treadle.nm.device.PowerLimitException.Reason;
import io.treadle.nm.device.PowerLimits;
import java.io.IOException;
import java.time.Clock;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The limit of one GPU: its own, what is wanted, and what was set. Its own limit is in the journal from before the first cap
 * until it is back. Limits are in mW, times in ms.
 */
final class CappedGpu {
    /** How often a limit that was set is looked at again: somebody else, or a driver that was reloaded, may change it. */
    static final long VERIFY_MS = 30_000;

    /** How often it is tried anew to find something that may set limits: a daemon may have been started by then. */
    static final long CHOOSE_AGAIN_MS = 60_000;

    static final long LEAST_BACK_OFF_MS = 30_000;
    private static final long MOST_BACK_OFF_MS = 600_000;
    private static final int FAILURES_OF_NOTE = 2;
    /** Drivers round limits. */
    private static final long TOLERANCE = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(CappedGpu.class);

    private final GpuDevice device;
    private final ActuatorChain chain;
    private final CapJournal journal;
    private final GpuLocks locks;
    private final Clock clock;
    private final long changeIntervalMs;

    private @Nullable PowerLimits limits;
    private long own;
    private boolean toDefault;
    private boolean mustRestore;
    private boolean lost;
    private long wanted;
    private long applied;
    private boolean changed;
    private long changedMs;
    private long verifiedMs;
    private int failures;
    private long retryMs = Long.MIN_VALUE;
    private String trouble = "";

    CappedGpu(
            GpuDevice device,
            ActuatorChain chain,
            CapJournal journal,
            GpuLocks locks,
            Clock clock,
            long changeIntervalMs) {
        this.device = device;
        this.chain = chain;
        this.journal = journal;
        this.locks = locks;
        this.clock = clock;
        this.changeIntervalMs = changeIntervalMs;
    }

    /** A process before has capped it and was killed: its own limit comes first. */
    void leftWith(long milliwatts) {
        own = milliwatts;
        mustRestore = true;
    }

    /** Nobody knows its own limit any more: the device's default is the nearest to it. */
    void leftWithoutAnybodyKnowing() {
        toDefault = true;
    }

    /**
     * Goes one step towards what is wanted.
     *
     * @param watts cap, W; 0 for the GPU's own limit
     * @param isLost whether the device does not answer at present
     */
    void step(double watts, boolean isLost) {
        if (isLost) {
            lose();
            return;
        }
        if (lost) {
            lost = false;
            trouble = "";
            retryMs = Long.MIN_VALUE;
        }
        if (watts <= 0 && wanted > 0) {
            // What failed was to cap it; to give its own limit back has not been tried.
            retryMs = Long.MIN_VALUE;
        }
        wanted = Math.round(watts * 1000);
        if (clock.millis() < retryMs || !ready()) {
            return;
        }
        wanted = wanted > 0 ? clamp(wanted) : 0;
        boolean capped = journal.has(device.uuid());
        if ((mustRestore || (wanted == 0 && capped)) && !restore()) {
            return;
        }
        if (wanted > 0) {
            apply();
        } else {
            trouble = "";
        }
    }

    /** Restores now, whatever has failed before. */
    void end() {
        wanted = 0;
        if (journal.has(device.uuid()) && limits != null && !lost && !restore()) {
            LOG.error(
                    "{} keeps a cap, its own limit is {} W: {}.\nMaybe the next start of the NodeManager can restore it:"
                            + " {} has it",
                    device.uuid(),
                    own / 1000.0,
                    trouble,
                    journal.file());
        }
    }

    CapState state() {
        PowerLimits read = limits;
        return new CapState(
                wanted / 1000.0,
                lost || read == null ? 0 : read.enforcedMilliwatts() / 1000.0,
                chain.of(device).name(),
                trouble);
    }

    /** Where its limit may be; zeros while that is not known. */
    CapRange range() {
        PowerLimits read = limits;
        return new CapRange(read == null ? 0 : read.minMilliwatts() / 1000.0, own / 1000.0);
    }

    /** What the device may be set to: no more than its own limit, which somebody has chosen. */
    private long clamp(long milliwatts) {
        PowerLimits read = limits;
        if (read == null) {
            return milliwatts;
        }
        return Math.max(read.minMilliwatts(), Math.min(milliwatts, Math.min(read.maxMilliwatts(), own)));
    }

    /** True once the GPU is ours to set and its limits are known. */
    private boolean ready() {
        if (limits != null) {
            return true;
        }
        if (!locks.hold(device.uuid())) {
            String refusal = locks.refusal(device.uuid());
            if (!refusal.equals(trouble)) {
                LOG.warn("{} is only observed here: {}", device.uuid(), refusal);
            }
            trouble = refusal;
            return false;
        }
        try {
            chain.choose(device);
            PowerLimits read = chain.of(device).limits(device);
            OptionalLong left = own > 0 ? OptionalLong.empty() : locks.ownLimitLeft(device.uuid());
            if (left.isPresent()) {
                LOG.warn("{} was capped by a process that was killed; its own limit is {} mW", device.uuid(), left);
                leftWith(left.getAsLong());
            }
            // A helper may allow less than what is set by now; more than that could never be given back.
            own = Math.min(own > 0 ? own : read.setMilliwatts(), Math.max(read.maxMilliwatts(), read.minMilliwatts()));
            if (toDefault && left.isEmpty() && read.setMilliwatts() < read.defaultMilliwatts()) {
                leftWith(read.defaultMilliwatts());
            }
            if (mustRestore) {
                keepOwn();
            }
            limits = read;
            trouble = "";
            return true;
        } catch (PowerLimitException e) {
            if (e.reason() == Reason.LOST) {
                lose();
            } else {
                retryMs = clock.millis() + LEAST_BACK_OFF_MS;
                trouble = "limits cannot be read: " + e.getMessage();
            }
        } catch (IOException e) {
            failed("its own limit cannot be written to " + journal.file() + ": " + e);
        }
        return false;
    }

    /** Before the device is told anything. */
    private void keepOwn() throws IOException {
        if (!journal.has(device.uuid())) {
            journal.put(device.uuid(), own);
            locks.keepOwnLimit(device.uuid(), own);
        }
    }

    private void apply() {
        long now = clock.millis();
        if (applied == wanted && now - verifiedMs < VERIFY_MS) {
            return;
        }
        boolean asOwn = wanted >= own && !journal.has(device.uuid());
        if (asOwn) {
            trouble = "";
            return;
        }
        try {
            if (applied == wanted && stillApplied(now)) {
                return;
            }
            if (wanted >= inForce() && changed && now - changedMs < changeIntervalMs && now >= changedMs) {
                return;
            }
            if (!canSet()) {
                trouble = onlyObserved();
                return;
            }
            keepOwn();
            change(wanted);
        } catch (PowerLimitException e) {
            applied = 0;
            refused(e);
            if (e.reason().isForGood() && !lost && chain.sets(device)) {
                apply();
            }
        } catch (IOException e) {
            failed("its own limit cannot be written to " + journal.file() + ": " + e);
        }
    }

    /** What is set now, as far as is known: after a failure nothing is applied, and yet something may be set. */
    private long inForce() {
        PowerLimits read = limits;
        if (applied > 0 || read == null) {
            return applied > 0 ? applied : own;
        }
        return journal.has(device.uuid()) ? read.setMilliwatts() : own;
    }

    /** True if the limit is still the one that was set, as far as anybody may say. */
    private boolean stillApplied(long now) throws PowerLimitException {
        PowerLimits read = chain.of(device).limits(device);
        limits = read;
        verifiedMs = now;
        if (Math.abs(read.setMilliwatts() - applied) <= TOLERANCE) {
            return true;
        }
        LOG.warn(
                "{} is limited to {} W, {} W was set here: somebody else has changed it, it is set again",
                device.uuid(),
                read.setMilliwatts() / 1000.0,
                applied / 1000.0);
        applied = read.setMilliwatts();
        return false;
    }

    private void change(long milliwatts) throws PowerLimitException {
        GpuPowerActuator actuator = chain.of(device);
        actuator.set(device, milliwatts);
        PowerLimits read = actuator.limits(device);
        limits = read;
        if (read.enforcedMilliwatts() > milliwatts + TOLERANCE) {
            throw new PowerLimitException(
                    Reason.FAILED,
                    "the limit is " + read.enforcedMilliwatts() / 1000.0 + " W after " + milliwatts / 1000.0
                            + " W was set without complaint");
        }
        LOG.info("{} is limited to {} W, its own limit is {} W", device.uuid(), milliwatts / 1000.0, own / 1000.0);
        applied = milliwatts;
        changed = true;
        changedMs = clock.millis();
        verifiedMs = changedMs;
        failures = 0;
        trouble = "";
    }

    /** True when the GPU has its own limit. */
    private boolean restore() {
        try {
            if (!canSet()) {
                trouble = "its own limit of " + own / 1000.0 + " W is not restored: " + onlyObserved();
                return false;
            }
            giveBack();
            LOG.info("{} has its own limit of {} W back", device.uuid(), own / 1000.0);
            applied = 0;
            mustRestore = false;
            toDefault = false;
            failures = 0;
            trouble = "";
            journal.remove(device.uuid());
            locks.forgetOwnLimit(device.uuid());
            return true;
        } catch (PowerLimitException e) {
            refused(e);
            return e.reason().isForGood() && !lost && chain.sets(device) && restore();
        } catch (IOException e) {
            LOG.warn("{} is restored, but stays in {}: {}", device.uuid(), journal.file(), e.toString());
            return true;
        }
    }

    private void giveBack() throws PowerLimitException {
        GpuPowerActuator actuator = chain.of(device);
        PowerLimits allowed = actuator.limits(device);
        long back = Math.max(allowed.minMilliwatts(), Math.min(allowed.maxMilliwatts(), own));
        actuator.restore(device, back);
        PowerLimits read = actuator.limits(device);
        limits = read;
        if (read.setMilliwatts() < back - TOLERANCE) {
            throw new PowerLimitException(
                    Reason.FAILED,
                    "the limit is " + read.setMilliwatts() / 1000.0 + " W after " + back / 1000.0
                            + " W was set without complaint");
        }
        if (back != own) {
            LOG.warn(
                    "{} does not take its own limit of {} W any more; it has {} W, which is nearest to it",
                    device.uuid(),
                    own / 1000.0,
                    back / 1000.0);
            own = back;
        }
    }

    private void refused(PowerLimitException e) {
        if (e.reason() == Reason.LOST) {
            lose();
            return;
        }
        if (!e.reason().isForGood()) {
            failed(String.valueOf(e.getMessage()));
            return;
        }
        try {
            chain.giveUp(device, e);
            chain.tell();
            if (!chain.sets(device)) {
                trouble = onlyObserved();
                retryMs = clock.millis() + CHOOSE_AGAIN_MS;
            }
        } catch (PowerLimitException gone) {
            lose();
        }
    }

    /** Looks for something that may set limits, where nothing could the last time. */
    private boolean canSet() throws PowerLimitException {
        if (!chain.sets(device) && chain.canSetAny()) {
            retryMs = clock.millis() + CHOOSE_AGAIN_MS;
            chain.choose(device);
            chain.tell();
            retryMs = chain.sets(device) ? Long.MIN_VALUE : retryMs;
        }
        return chain.sets(device);
    }

    private String onlyObserved() {
        return "nothing on this node may set power limits " + chain.refusals();
    }

    /** One failure may pass by itself; after two in a row the device is left alone for a while. */
    private void failed(String why) {
        failures++;
        if (failures < FAILURES_OF_NOTE) {
            return;
        }
        long backOffMs = Math.min(MOST_BACK_OFF_MS, LEAST_BACK_OFF_MS << Math.min(10, failures - FAILURES_OF_NOTE));
        retryMs = clock.millis() + backOffMs;
        trouble = why;
        LOG.error("{}: {} times in a row: {}; trying again in {} ms", device.uuid(), failures, why, backOffMs);
    }

    private void lose() {
        if (lost) {
            return;
        }
        lost = true;
        applied = 0;
        trouble = "the GPU is lost";
        if (journal.has(device.uuid())) {
            mustRestore = true;
            LOG.warn(
                    "{} is lost while it is capped; its own limit of {} W is restored when it comes back",
                    device.uuid(),
                    own / 1000.0);
        }
    }
}

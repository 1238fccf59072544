// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.device.PowerLimitException;
import io.treadle.nm.device.PowerLimitException.Reason;
import io.treadle.nm.device.PowerLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** GPUs from 100 to 400 W that refuse what they are told to refuse. */
final class FakeActuator implements GpuPowerActuator {
    static final long MIN = 100_000;
    static final long MAX = 400_000;

    private final String name;
    private final Map<String, Long> limits;

    /** Every limit that was set and is another than before, in order: {@code uuid=mW}. */
    final List<String> changes = new ArrayList<>();

    @Nullable
    Reason refuses;

    @Nullable
    Reason refusesReading;

    boolean silent;

    FakeActuator(String name) {
        this(name, new HashMap<>());
    }

    /** @param limits what is set, mW; shared with another actuator of the same GPUs, or another NodeManager's */
    FakeActuator(String name, Map<String, Long> limits) {
        this.name = name;
        this.limits = limits;
    }

    long limit(String uuid) {
        return limits.getOrDefault(uuid, MAX);
    }

    /** As somebody else does. */
    void put(String uuid, long milliwatts) {
        limits.put(uuid, milliwatts);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public PowerLimits limits(GpuDevice device) throws PowerLimitException {
        Reason reason = refusesReading;
        if (reason != null) {
            throw new PowerLimitException(reason, name + " cannot read");
        }
        return new PowerLimits(MIN, MAX, MAX, limit(device.uuid()), limit(device.uuid()));
    }

    @Override
    public void set(GpuDevice device, long milliwatts) throws PowerLimitException {
        Reason reason = refuses;
        if (reason != null) {
            throw new PowerLimitException(reason, name + " refuses " + milliwatts);
        }
        if (milliwatts < MIN || milliwatts > MAX) {
            throw new PowerLimitException(Reason.OUT_OF_RANGE, milliwatts + " is out of range");
        }
        if (!silent && limit(device.uuid()) != milliwatts) {
            limits.put(device.uuid(), milliwatts);
            changes.add(device.uuid() + "=" + milliwatts);
        }
    }
}

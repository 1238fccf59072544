// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import io.treadle.nm.device.CommandRunner;
import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.DeviceProviderException;
import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.device.NvidiaSmiRefusal;
import io.treadle.nm.device.PowerLimitException;
import io.treadle.nm.device.PowerLimits;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * Limits by {@code nvidia-smi -i <uuid> -pl <watts>}, or by a command that takes these four arguments and runs it as root.
 * They are read as the devices are, which needs no root.
 */
final class NvidiaSmiActuator implements GpuPowerActuator {
    private final List<String> command;
    private final CommandRunner runner;
    private final DeviceProvider provider;

    /** @param command words before nvidia-smi's arguments */
    NvidiaSmiActuator(List<String> command, CommandRunner runner, DeviceProvider provider) {
        this.command = List.copyOf(command);
        this.runner = runner;
        this.provider = provider;
    }

    @Override
    public String name() {
        return "nvidia-smi";
    }

    @Override
    public PowerLimits limits(GpuDevice device) throws PowerLimitException {
        return provider.limits(device.uuid());
    }

    @Override
    public void set(GpuDevice device, long milliwatts) throws PowerLimitException {
        List<String> words = new ArrayList<>(command);
        words.addAll(List.of("-i", device.uuid(), "-pl", watts(milliwatts)));
        CommandRunner.Result result;
        try {
            result = runner.run(words);
        } catch (DeviceProviderException e) {
            throw new PowerLimitException(PowerLimitException.Reason.FAILED, String.valueOf(e.getMessage()), e);
        }
        if (result.exitStatus() != 0) {
            throw NvidiaSmiRefusal.of(String.join(" ", words), result);
        }
    }

    /** Watts without digits that say nothing: 250, or 312.5. */
    private static String watts(long milliwatts) {
        return BigDecimal.valueOf(milliwatts, 3).stripTrailingZeros().toPlainString();
    }
}

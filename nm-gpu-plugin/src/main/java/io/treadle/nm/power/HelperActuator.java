// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.device.PowerLimitException;
import io.treadle.nm.device.PowerLimitException.Reason;
import io.treadle.nm.device.PowerLimits;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits by the helper, a daemon that runs as root. The connection stays open for as long as this process lives: when it
 * breaks, the helper restores what was set through it.
 */
final class HelperActuator implements GpuPowerActuator {
    private static final Logger LOG = LoggerFactory.getLogger(HelperActuator.class);

    private final Path socket;
    private final long timeoutMs;
    private @Nullable UnixConnection connection;

    HelperActuator(Path socket, long timeoutMs) {
        this.socket = socket;
        this.timeoutMs = timeoutMs;
    }

    @Override
    public String name() {
        return "helper";
    }

    @Override
    public PowerLimits limits(GpuDevice device) throws PowerLimitException {
        return ask(HelperProtocol.limits(device.uuid()));
    }

    @Override
    public void set(GpuDevice device, long milliwatts) throws PowerLimitException {
        var unused = ask(HelperProtocol.set(device.uuid(), milliwatts));
    }

    @Override
    public void restore(GpuDevice device, long milliwatts) throws PowerLimitException {
        var unused = ask(HelperProtocol.restore(device.uuid()));
    }

    private PowerLimits ask(String command) throws PowerLimitException {
        String answer;
        try {
            UnixConnection open = connection;
            if (open == null) {
                open = UnixConnection.open(socket, timeoutMs);
                connection = open;
            }
            open.send(command + "\n");
            answer = open.line();
        } catch (IOException e) {
            // An answer that comes late would be taken for that of the next command.
            close();
            throw new PowerLimitException(Reason.FAILED, "helper at " + socket + ": " + e.getMessage(), e);
        }
        return HelperProtocol.parse(answer);
    }

    @Override
    public void close() {
        UnixConnection open = connection;
        connection = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.debug("closing the connection to {} went wrong", socket, e);
            }
        }
    }
}

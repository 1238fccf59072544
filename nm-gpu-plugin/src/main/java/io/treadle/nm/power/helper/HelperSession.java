// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power.helper;

import io.treadle.nm.device.PowerLimitException;
import io.treadle.nm.device.PowerLimitException.Reason;
import io.treadle.nm.device.PowerLimits;
import io.treadle.nm.power.HelperProtocol;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What one client says, and what it is told. Anything but the three commands is refused. */
final class HelperSession implements AutoCloseable {
    private static final Pattern COMMAND =
            Pattern.compile("(?:(LIMITS|RESTORE) ([A-Za-z0-9_-]{1,96}))|(?:(SET) ([A-Za-z0-9_-]{1,96}) (\\d{1,9}))");

    private final HelperDevices devices;

    HelperSession(HelperDevices devices) {
        this.devices = devices;
    }

    /** @return the answer, without the end of its line */
    String answer(String line) {
        Matcher command = COMMAND.matcher(line);
        try {
            if (!command.matches()) {
                throw new PowerLimitException(
                        Reason.FAILED, "only LIMITS <uuid>, SET <uuid> <milliwatts> and RESTORE <uuid> are known here");
            }
            return HelperProtocol.ok(run(command));
        } catch (PowerLimitException e) {
            return HelperProtocol.error(e);
        }
    }

    private PowerLimits run(Matcher command) throws PowerLimitException {
        if (command.group(3) != null) {
            return devices.set(command.group(4), Long.parseLong(command.group(5)), this);
        }
        return command.group(1).equals("RESTORE")
                ? devices.restore(command.group(2), this)
                : devices.limits(command.group(2));
    }

    /** The client has hung up. */
    @Override
    public void close() {
        devices.release(this);
    }
}

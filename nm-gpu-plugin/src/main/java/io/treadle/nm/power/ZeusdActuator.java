// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.device.PowerLimitException;
import io.treadle.nm.device.PowerLimitException.Reason;
import io.treadle.nm.device.PowerLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Limits by zeusd, the root daemon of Zeus: HTTP over a Unix socket, arguments in the query, GPUs by NVML's index. It
 * tells draws but no limits; these are read as the devices are.
 */
final class ZeusdActuator implements GpuPowerActuator {
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})\\b.*");
    private static final int MOST_TEXT = 200;

    private final Path socket;
    private final long timeoutMs;
    private final DeviceProvider provider;

    ZeusdActuator(Path socket, long timeoutMs, DeviceProvider provider) {
        this.socket = socket;
        this.timeoutMs = timeoutMs;
        this.provider = provider;
    }

    @Override
    public String name() {
        return "zeusd";
    }

    @Override
    public PowerLimits limits(GpuDevice device) throws PowerLimitException {
        return provider.limits(device.uuid());
    }

    @Override
    public void set(GpuDevice device, long milliwatts) throws PowerLimitException {
        String answer;
        try (UnixConnection connection = UnixConnection.open(socket, timeoutMs)) {
            connection.send("POST /gpu/set_power_limit?gpu_ids=" + device.index() + "&power_limit_mw=" + milliwatts
                    + "&block=true HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            answer = connection.rest();
        } catch (IOException e) {
            throw new PowerLimitException(Reason.FAILED, "zeusd at " + socket + ": " + e.getMessage(), e);
        }
        check(answer);
    }

    private void check(String answer) throws PowerLimitException {
        Matcher status = STATUS.matcher(answer.lines().findFirst().orElse(""));
        if (!status.matches()) {
            throw new PowerLimitException(Reason.FAILED, "zeusd at " + socket + " answers " + shown(answer));
        }
        int code = Integer.parseInt(status.group(1));
        if (code == 200) {
            return;
        }
        int body = answer.indexOf("\r\n\r\n");
        throw new PowerLimitException(
                reason(code),
                "zeusd at " + socket + " answers " + code + ": " + shown(body < 0 ? "" : answer.substring(body + 4)));
    }

    private static Reason reason(int code) {
        return switch (code) {
            case 401, 403 -> Reason.NO_PERMISSION;
            case 400 -> Reason.OUT_OF_RANGE;
            // Versions before these paths, or something else that listens there.
            case 404, 405 -> Reason.NOT_SUPPORTED;
            default -> Reason.FAILED;
        };
    }

    private static String shown(String text) {
        String line = text.strip().replaceAll("\\s+", " ");
        return line.length() > MOST_TEXT ? line.substring(0, MOST_TEXT) + "…" : line;
    }
}

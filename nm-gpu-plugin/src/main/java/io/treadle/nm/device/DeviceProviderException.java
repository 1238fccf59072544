// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

/** No devices from this provider. The message says why, and what to do about it on a line that starts with "Maybe". */
public final class DeviceProviderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DeviceProviderException(String message) {
        super(message);
    }

    public DeviceProviderException(String message, Throwable cause) {
        super(message, cause);
    }
}

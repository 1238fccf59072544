// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

/** A power limit that could not be read or set. The message says why in the words of whoever refused. */
public final class PowerLimitException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What a refusal means for the next attempt. */
    public enum Reason {
        /** Needs root, which this process is not. */
        NO_PERMISSION,
        /** The board, or its driver, knows no power limits. */
        NOT_SUPPORTED,
        /** The limit is below the device's least or above its most. */
        OUT_OF_RANGE,
        /** The device does not answer any more. */
        LOST,
        /** Something else, which may be over the next time. */
        FAILED;

        /** True where trying again in the same way leads nowhere. */
        public boolean isForGood() {
            return this == NO_PERMISSION || this == NOT_SUPPORTED;
        }
    }

    private final Reason reason;

    public PowerLimitException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public PowerLimitException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}

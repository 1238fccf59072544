// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

/**
 * A record from another process that cannot be used. The message names the record, the field, its value and what would
 * be right.
 */
public final class WireFormatException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public WireFormatException(String message) {
        super(message);
    }

    public WireFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}

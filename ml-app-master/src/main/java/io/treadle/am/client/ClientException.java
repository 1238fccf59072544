// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

/**
 * What the user asked for cannot be done. The message names the thing, its value and what would be right; advice follows
 * on a line that starts with "Maybe".
 */
public final class ClientException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ClientException(String message) {
        super(message);
    }

    public ClientException(String message, Throwable cause) {
        super(message, cause);
    }

    /** There always is one. */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}

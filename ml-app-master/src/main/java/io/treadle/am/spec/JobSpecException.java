// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

/**
 * A job specification that cannot be used. The message names the file and line, the field, its value and what would be
 * right; advice follows on a line that starts with "Maybe".
 */
public final class JobSpecException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public JobSpecException(String message) {
        super(message);
    }

    JobSpecException(String message, Throwable cause) {
        super(message, cause);
    }

    /** There always is one. */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}

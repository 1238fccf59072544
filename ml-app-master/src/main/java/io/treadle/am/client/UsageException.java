// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

/** A command line that means nothing. The message names the argument and what would be right. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }

    /** There always is one. */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}

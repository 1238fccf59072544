// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

/** Something that a person gave cannot be used. The message names the thing, its value and what would be right. */
public sealed class InputException extends RuntimeException permits TableException {
    private static final long serialVersionUID = 1;

    public InputException(String message) {
        super(message);
    }

    public InputException(String message, Throwable cause) {
        super(message, cause);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

/** Something that a person can mend; the message names it and is all that is shown. */
public final class DemoException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DemoException(String message) {
        super(message);
    }

    public DemoException(String message, Throwable cause) {
        super(message, cause);
    }
}

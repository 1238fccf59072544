// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

/** Something that a person can mend; the message names it and is all that is shown. */
final class DemoException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DemoException(String message) {
        super(message);
    }

    DemoException(String message, Throwable cause) {
        super(message, cause);
    }
}

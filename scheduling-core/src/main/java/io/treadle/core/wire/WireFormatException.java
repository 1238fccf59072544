// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import io.treadle.core.text.PlainText;

/**
 * A record from another process that cannot be used. The message names the record, the field, its value and what would
 * be right. It is one line of bounded length, whatever the value is: it goes to logs, terminals and YARN's diagnostics.
 */
public final class WireFormatException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** Characters of a message; a longer value is cut. */
    private static final int MOST_CHARACTERS = 1_000;

    public WireFormatException(String message) {
        super(PlainText.line(message, MOST_CHARACTERS));
    }

    public WireFormatException(String message, Throwable cause) {
        super(PlainText.line(message, MOST_CHARACTERS), cause);
    }
}

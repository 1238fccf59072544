// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

import java.util.Locale;

/**
 * Something that a person gave cannot be used. The message names the thing, its value and what would be right. Control
 * characters of what was given stand escaped in it: it is shown on terminals.
 */
public sealed class InputException extends RuntimeException permits TableException {
    private static final long serialVersionUID = 1;

    public InputException(String message) {
        super(printable(message));
    }

    public InputException(String message, Throwable cause) {
        super(printable(message), cause);
    }

    private static String printable(String message) {
        StringBuilder text = new StringBuilder(message.length());
        for (int i = 0; i < message.length(); i++) {
            char c = message.charAt(i);
            boolean control = Character.isISOControl(c) && c != '\n' && c != '\t';
            text.append(control ? String.format(Locale.ROOT, "\\x%02x", (int) c) : c);
        }
        return text.toString();
    }
}

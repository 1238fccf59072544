// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.text;

import java.util.Locale;

/**
 * Shows by their numbers, as {@code \x1b}, those characters of others' texts that a terminal would obey: control characters, line separators, what turns the order of letters around, and halves of characters.
 */
public final class PlainText {
    private static final String TURNS_ORDER =
            "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";

    private PlainText() {}

    /** For a place in a line: a line break could pretend that a line of ours begins. */
    public static String line(CharSequence text) {
        return shown(text, "");
    }

    /**
     * The same of a text that may be of any length.
     *
     * @param most characters; of a longer text the beginning and the end are shown
     */
    public static String line(String text, int most) {
        int end = most / 4;
        return text.length() <= most
                ? line(text)
                : line(text.substring(0, most - end)) + " … " + line(text.substring(text.length() - end));
    }

    /** Whether no character is one that a terminal or a log would obey. */
    public static boolean isLine(String text) {
        return line(text).equals(text);
    }

    /** With its line breaks and tabs as they are. */
    public static String lines(CharSequence text) {
        return shown(text, "\n\t");
    }

    private static String shown(CharSequence text, String asTheyAre) {
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            boolean isObeyed = Character.isISOControl(c)
                    || TURNS_ORDER.indexOf(c) >= 0
                    || Character.getType(c) == Character.SURROGATE;
            if (isObeyed && asTheyAre.indexOf(c) < 0) {
                shown.append(String.format(Locale.ROOT, c < 0x100 ? "\\x%02x" : "\\u%04x", c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }
}

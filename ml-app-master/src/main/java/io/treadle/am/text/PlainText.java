// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.text;

import java.util.Locale;

/**
 * Shows by their numbers, as {@code \x1b}, those characters of others' texts that a terminal would obey: control characters, and
 * what turns the order of letters around.
 */
public final class PlainText {
    private static final String TURNS_ORDER = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";

    private PlainText() {}

    /** For a place in a line: a line break could pretend that a line of ours begins. */
    public static String line(CharSequence text) {
        return shown(text, "");
    }

    /** With its line breaks and tabs as they are. */
    public static String lines(CharSequence text) {
        return shown(text, "\n\t");
    }

    private static String shown(CharSequence text, String asTheyAre) {
        StringBuilder shown = new StringBuilder(text.length());
        text.chars().forEach(c -> {
            boolean isObeyed = Character.isISOControl(c) || TURNS_ORDER.indexOf(c) >= 0;
            if (isObeyed && asTheyAre.indexOf(c) < 0) {
                shown.append(String.format(Locale.ROOT, c < 0x100 ? "\\x%02x" : "\\u%04x", c));
            } else {
                shown.append((char) c);
            }
        });
        return shown.toString();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.util.Locale;

/** Text made safe for HTML, and numbers as people read them. */
final class Html {
    private Html() {}

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }

    /** A coordinate of a drawing or a width in per cent. */
    static String number(double value) {
        String text = String.format(Locale.ROOT, "%.2f", value);
        int end = text.length();
        while (text.charAt(end - 1) == '0') {
            end--;
        }
        return text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
    }

    /** With three digits, as far as they are needed. */
    static String figure(double value) {
        if (value >= 1000) {
            return count(Math.round(value));
        }
        return String.format(Locale.ROOT, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
    }

    /** A round number without zeros that say nothing. */
    static String shortly(double value) {
        return value >= 1
                ? count(Math.round(value))
                : String.format(Locale.ROOT, "%.3f", value).replaceAll("0+$", "");
    }

    /** A ratio. */
    static String times(double value) {
        return figure(value) + "×";
    }
}

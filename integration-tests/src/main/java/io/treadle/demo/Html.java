// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.util.Locale;

/** Text made safe for HTML and SVG. */
public final class Html {
    private Html() {}

    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** A number of the drawing, with a point whatever the locale. */
    public static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}

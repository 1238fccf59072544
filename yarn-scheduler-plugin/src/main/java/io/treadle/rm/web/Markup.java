// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import java.util.ArrayDeque;
import java.util.Deque;

/** Writes well-formed HTML; every text and attribute value is escaped. */
final class Markup {
    private final StringBuilder out = new StringBuilder(1 << 14);
    private final Deque<String> open = new ArrayDeque<>();

    /** @param attributes names and values by turns; a pair with an empty value is left out */
    Markup open(String tag, String... attributes) {
        start(tag, attributes);
        open.push(tag);
        return this;
    }

    Markup close() {
        out.append("</").append(open.pop()).append('>');
        return this;
    }

    Markup text(String text) {
        out.append(escape(text));
        return this;
    }

    /** An element that holds only text. */
    Markup element(String tag, String text, String... attributes) {
        start(tag, attributes);
        out.append(escape(text)).append("</").append(tag).append('>');
        return this;
    }

    Markup link(String address, String text) {
        return element("a", text, "href", address);
    }

    /** What is markup already, such as a drawing. */
    Markup raw(String markup) {
        out.append(markup);
        return this;
    }

    private void start(String tag, String... attributes) {
        out.append('<').append(tag);
        for (int i = 0; i + 1 < attributes.length; i += 2) {
            if (!attributes[i + 1].isEmpty()) {
                out.append(' ')
                        .append(attributes[i])
                        .append("=\"")
                        .append(escape(attributes[i + 1]))
                        .append('"');
            }
        }
        out.append('>');
    }

    @Override
    public String toString() {
        if (!open.isEmpty()) {
            throw new IllegalStateException("not closed: " + open);
        }
        return out.toString();
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}

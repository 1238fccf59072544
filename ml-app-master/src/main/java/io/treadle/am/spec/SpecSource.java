// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import io.treadle.core.text.PlainText;
import org.yaml.snakeyaml.nodes.Node;

/**
 * Where a specification comes from, for error messages.
 *
 * @param name file name, or what stands in for one
 * @param numbered whether line numbers mean something to the reader
 */
record SpecSource(String name, boolean numbered) {
    private static final int SHOWN = 80;

    JobSpecException error(Node node, String message) {
        return error(node.getStartMark().getLine() + 1, message);
    }

    JobSpecException error(int line, String message) {
        return new JobSpecException(place(line) + message);
    }

    JobSpecException error(int line, String message, Throwable cause) {
        return new JobSpecException(place(line) + message, cause);
    }

    private String place(int line) {
        return numbered ? name + ":" + line + ": " : name + ": ";
    }

    /** The user's own text, short and without characters that would garble a terminal. */
    static String quote(String text) {
        int end = text.offsetByCodePoints(0, Math.min(SHOWN, text.codePointCount(0, text.length())));
        return "'" + PlainText.line(text.substring(0, end)) + (end < text.length() ? "…'" : "'");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import org.jspecify.annotations.Nullable;

/** Finds the sentence in an exception that a person should read. */
final class Causes {
    private Causes() {}

    /** The message without class names, stack traces and the client's own repetition of them. */
    static String message(Throwable error) {
        @Nullable Throwable current = error;
        String message = "";
        while (current != null) {
            if (current.getMessage() != null && !current.getMessage().isBlank()) {
                message = current.getMessage();
                break;
            }
            current = current.getCause();
        }
        if (message.isEmpty()) {
            return error.getClass().getSimpleName();
        }
        String text = message.replaceFirst("^(?:[a-z][\\w$]*\\.)+[A-Z][\\w$]*(?:Exception|Error): ", "");
        text = text.replaceFirst("^Failed to submit application_\\S+ to YARN\\s*:\\s*", "");
        // The scheduler's refusals begin as the client's own lines do.
        text = text.replaceFirst("^treadle: ", "");
        int trace = text.indexOf("\n\tat ");
        return (trace < 0 ? text : text.substring(0, trace)).strip();
    }

    /** The first sentence of YARN's diagnostics, without its time stamp and the figures that follow. */
    static String firstSentence(String diagnostics) {
        String line = diagnostics.lines().findFirst().orElse("").replaceFirst("^\\[[^\\]]*\\]\\s*", "");
        int figures = line.indexOf(".  ");
        return (figures < 0 ? line : line.substring(0, figures)).strip();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.ingress;

import com.sun.net.httpserver.HttpExchange;
import java.util.UUID;

/** What requests say beside their bodies. */
final class Headers {
    static final String REQUEST_ID = "X-Request-Id";
    static final String DEADLINE = "X-Deadline-Ms";
    static final int MOST_ID = 128;

    private Headers() {}

    /** The client's id of a request, or a fresh one where it has none or one that logs cannot show. */
    static String requestId(HttpExchange exchange) {
        String given = exchange.getRequestHeaders().getFirst(REQUEST_ID);
        return given != null && given.matches("[\\x21-\\x7e]{1," + MOST_ID + "}")
                ? given
                : UUID.randomUUID().toString();
    }

    /** @throws Refusal if it is no time that can be */
    static double deadlineMs(HttpExchange exchange, IngressLimits limits) throws Refusal {
        String given = exchange.getRequestHeaders().getFirst(DEADLINE);
        if (given == null) {
            return limits.deadlineMs();
        }
        double ms;
        try {
            ms = Double.parseDouble(given);
        } catch (NumberFormatException e) {
            ms = Double.NaN;
        }
        if (ms > 0 && ms <= limits.longestDeadlineMs()) {
            return ms;
        }
        throw new Refusal(
                400,
                DEADLINE + " is '" + given + "', must be a number of ms above 0 and at most "
                        + limits.longestDeadlineMs());
    }

    /** Of the body, bytes; -1 where it is not said. */
    static long length(HttpExchange exchange) {
        String given = exchange.getRequestHeaders().getFirst("Content-Length");
        try {
            return given == null ? -1 : Long.parseLong(given);
        } catch (NumberFormatException e) {
            // The server has refused such a one already.
            return -1;
        }
    }
}

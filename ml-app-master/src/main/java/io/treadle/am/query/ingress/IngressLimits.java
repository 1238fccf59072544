// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.ingress;

/**
 * What an ingress takes.
 *
 * @param bodyBytes of one request
 * @param queries that are answered at the same time; more are sent away with 429
 * @param bytes of all requests that are answered at the same time
 * @param deadlineMs of queries that name none
 * @param longestDeadlineMs that a query may name
 */
public record IngressLimits(int bodyBytes, int queries, long bytes, int deadlineMs, int longestDeadlineMs) {
    public static final IngressLimits DEFAULT = new IngressLimits(16 << 20, 1024, 256L << 20, 30_000, 60_000);

    public IngressLimits {
        if (bodyBytes < 1 || queries < 1 || bytes < bodyBytes) {
            throw new IllegalArgumentException("an ingress for " + queries + " queries of " + bodyBytes + " bytes, "
                    + bytes + " together, must take one at least");
        }
        if (deadlineMs < 1 || longestDeadlineMs < deadlineMs) {
            throw new IllegalArgumentException("deadlines of " + deadlineMs + " ms, at most " + longestDeadlineMs
                    + " ms, must be 1 ms or more, in this order");
        }
    }
}

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

    /** Of bodies, as numbers in JSON take some ten times their bytes in memory while they are read. */
    private static final int JSON_FACTOR = 12;

    /**
     * The default, less where this process has little memory.
     *
     * @param share of its heap that requests may take
     */
    public static IngressLimits ofThisProcess(double share) {
        long bytes =
                Math.min(DEFAULT.bytes, (long) (share * Runtime.getRuntime().maxMemory() / JSON_FACTOR));
        return new IngressLimits(
                (int) Math.min(DEFAULT.bodyBytes, bytes),
                DEFAULT.queries,
                bytes,
                DEFAULT.deadlineMs,
                DEFAULT.longestDeadlineMs);
    }

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

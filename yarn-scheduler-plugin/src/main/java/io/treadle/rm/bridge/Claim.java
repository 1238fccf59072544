// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.List;

/**
 * What a queue has to do with one resource that it shares with the queues beside it.
 *
 * @param guarantee by which what nobody is sure of is shared out
 * @param sure what it gets before others get more than that
 * @param wanted what it holds and asks for, as far as it may hold it
 */
record Claim(long guarantee, long sure, long wanted) {
    /** Against a part that is a whole number but for the last digits. */
    private static final double ROUNDING = 1e-6;

    /**
     * First each gets what it is sure of, no more than it wants; then those that want more share the rest by their guarantees,
     * and what one of them does not want goes to the others.
     *
     * @param all what there is for all of them
     * @param self index of one of them
     * @return its part, rounded down
     */
    static long part(long all, List<Claim> claims, int self) {
        double[] has = new double[claims.size()];
        double rest = all;
        for (int i = 0; i < has.length; i++) {
            has[i] = Math.min(claims.get(i).sure(), claims.get(i).wanted());
            rest -= has[i];
        }
        while (rest > ROUNDING) {
            double before = rest;
            double weights = 0;
            for (int i = 0; i < has.length; i++) {
                weights += claims.get(i).missing(has[i]) > 0 ? claims.get(i).guarantee() : 0;
            }
            for (int i = 0; i < has.length && weights > 0; i++) {
                double more = Math.min(
                        claims.get(i).missing(has[i]), before * claims.get(i).guarantee() / weights);
                has[i] += more;
                rest -= more;
            }
            if (before - rest <= ROUNDING) {
                break;
            }
        }
        return (long) Math.floor(has[self] + ROUNDING);
    }

    private double missing(double has) {
        return Math.max(0, wanted - has);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench;

/**
 * One object of a bench's {@code summary.json}.
 *
 * @param name unique
 * @param ratio above 1 where ours is better
 * @param unit of ours and theirs
 */
public record Compared(String name, double ours, double theirs, double ratio, String unit) {
    /** Where less is better. */
    public static Compared least(String name, double ours, double theirs, String unit) {
        return new Compared(name, ours, theirs, theirs / ours, unit);
    }
}

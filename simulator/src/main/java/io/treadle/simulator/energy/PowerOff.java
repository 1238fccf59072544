// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.energy;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When nodes that nobody uses are switched off.
 *
 * @param idleSeconds how long a node must have been empty, s
 * @param wakeSeconds how long it takes to start again, s
 * @param spare empty nodes that stay on for jobs to come
 * @param offWatts what a node draws that is off, W
 */
public record PowerOff(double idleSeconds, double wakeSeconds, int spare, double offWatts) {
    /** Where nobody says otherwise: five minutes, two, one node, 15 W. */
    public static final PowerOff USUAL = new PowerOff(300, 120, 1, 15);

    private static final Pattern FORM = Pattern.compile("(\\d{1,6})/(\\d{1,6})/(\\d{1,6})");

    /**
     * @param text {@code off}, {@code on}, or seconds without a job, seconds to start and spare nodes between slashes
     * @return empty where all nodes stay on
     * @throws IllegalArgumentException if it is none of these
     */
    public static Optional<PowerOff> parse(String text) {
        if (text.equals("off")) {
            return Optional.empty();
        }
        if (text.equals("on")) {
            return Optional.of(USUAL);
        }
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "is '" + text
                            + "', must be off, on, or seconds without a job, seconds to start and spare nodes, such as 300/120/1");
        }
        return Optional.of(new PowerOff(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3)),
                USUAL.offWatts()));
    }

    /** As {@link #parse} takes it. */
    public String text() {
        return Math.round(idleSeconds) + "/" + Math.round(wakeSeconds) + "/" + spare;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

/**
 * A time in which a node is down; times in ms since the trace's zero.
 *
 * @param node its name
 * @param closedMs from when on nothing new starts there, at the latest when it goes down
 * @param downMs when it goes down
 * @param upMs when it is back; {@link #NEVER} where it does not come back
 */
public record Outage(String node, long closedMs, long downMs, long upMs) {
    public static final long NEVER = Long.MAX_VALUE;
}

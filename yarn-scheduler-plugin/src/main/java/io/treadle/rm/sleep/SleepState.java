// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

/**
 * A host that is off, or not quite on.
 *
 * @param sinceMs since when, ms since the epoch
 */
public record SleepState(String node, Stage stage, long sinceMs) {
    /** How far it is. */
    public enum Stage {
        /** YARN decommissions it. */
        DRAINING("is taken out"),
        /** It is off. */
        OFF("is off"),
        /** It was switched on, and its NodeManager has not come yet. */
        WAKING("wakes up"),
        /** It cannot be switched on, or was and has not come. */
        UNREACHABLE("does not come back");

        private final String words;

        Stage(String words) {
            this.words = words;
        }

        /** For people, after the node's name. */
        public String words() {
            return words;
        }
    }
}

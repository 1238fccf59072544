// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import java.util.List;

/** What others may know of nodes that are off. */
public interface Sleeping {
    /** All nodes are on. */
    Sleeping NONE = new Sleeping() {
        @Override
        public List<SleepState> states() {
            return List.of();
        }

        @Override
        public List<String> warnings() {
            return List.of();
        }

        @Override
        public boolean isKnown() {
            return true;
        }

        @Override
        public List<NodeKind> off() {
            return List.of();
        }

        @Override
        public boolean isGoing(String host) {
            return false;
        }

        @Override
        public boolean isAnyGoing() {
            return false;
        }
    };

    /** Hosts that are not on, by name. */
    List<SleepState> states();

    /** What cannot be switched: whole sentences. */
    List<String> warnings();

    /** Whether it is known which nodes are off: after a restart that has to be read first. */
    boolean isKnown();

    /** What NodeManagers offer that are not on and there for the asking. */
    List<NodeKind> off();

    /** Whether the host is to be taken out in a moment, and so is to get no container. */
    boolean isGoing(String host);

    /** Whether {@link #isGoing} is true for any host. */
    boolean isAnyGoing();
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import java.util.List;
import java.util.Map;

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
        public Map<String, NodeKind> off() {
            return Map.of();
        }
    };

    /** Nodes that are not on, or could be off, by name. */
    List<SleepState> states();

    /** What cannot be switched: whole sentences. */
    List<String> warnings();

    /** Nodes that are there for the asking, with what they offer. */
    Map<String, NodeKind> off();
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Which models go first when room is needed for another. */
public enum Eviction {
    /** Those that no queued task needs, the least recently used first; then those that are needed latest. */
    LOOK_AHEAD("look-ahead"),
    /** The least recently used. */
    LRU("lru"),
    /** Those that came first. */
    FIFO("fifo");

    private final String text;

    Eviction(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    /** @throws IllegalArgumentException if there is none of that name; the message names those that there are */
    public static Eviction of(String text) {
        return Arrays.stream(values())
                .filter(eviction -> eviction.text.equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("must be one of "
                        + Arrays.stream(values()).map(Eviction::text).collect(Collectors.joining(", "))));
    }
}

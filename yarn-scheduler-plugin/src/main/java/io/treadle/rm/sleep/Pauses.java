// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import java.util.HashMap;
import java.util.Map;

/** Growing pauses between what fails: a minute, two, four, up to an hour. */
final class Pauses {
    private static final long FIRST_MS = 60_000;
    private static final long LONGEST_MS = 3_600_000;

    private record Pause(long untilMs, long lengthMs) {}

    private final Map<String, Pause> pauses = new HashMap<>();

    boolean isOver(String what, long nowMs) {
        Pause pause = pauses.get(what);
        return pause == null || nowMs >= pause.untilMs();
    }

    /** @return how long it pauses now, ms */
    long failed(String what, long nowMs) {
        Pause before = pauses.get(what);
        long length = before == null ? FIRST_MS : Math.min(LONGEST_MS, 2 * before.lengthMs());
        pauses.put(what, new Pause(nowMs + length, length));
        return length;
    }

    void worked(String what) {
        pauses.remove(what);
    }
}

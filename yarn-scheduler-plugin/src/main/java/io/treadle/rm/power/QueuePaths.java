// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import java.util.ArrayList;
import java.util.List;

/** How full paths of queues relate. */
final class QueuePaths {
    private QueuePaths() {}

    /** Whether {@code path} is {@code above} or a queue below it. */
    static boolean isUnder(String path, String above) {
        return path.equals(above) || path.startsWith(above + ".");
    }

    /** The queues above it, the nearest first. */
    static List<String> above(String path) {
        List<String> above = new ArrayList<>();
        for (int dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
            above.add(path.substring(0, dot));
        }
        return above;
    }
}

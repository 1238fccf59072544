// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is wrong with a worker's progress file, by kind: logged once, and said while more of it comes. Guarded by the
 * {@link JobMaster}.
 */
final class BadLines {
    private static final Logger LOG = LoggerFactory.getLogger(BadLines.class);

    /** A line that was wrong once, long ago, is no news. */
    private static final double NEWS_SECONDS = 60;

    private final Map<String, Long> counts = new HashMap<>();
    private final Map<String, Double> lastSeconds = new TreeMap<>();

    /** @param now counts since the worker's start */
    void look(String container, Map<String, Long> now, double nowSeconds) {
        now.forEach((kind, count) -> {
            Long before = counts.put(kind, count);
            if (before == null) {
                LOG.warn("progress file of {} has bad lines, they are left out: {}", container, kind);
            }
            if (!count.equals(before)) {
                lastSeconds.put(kind, nowSeconds);
            }
        });
    }

    /** A line for people; empty where there is nothing to say. */
    Optional<String> said(int rank, double nowSeconds) {
        lastSeconds.values().removeIf(last -> nowSeconds - last > NEWS_SECONDS);
        return lastSeconds.isEmpty()
                ? Optional.empty()
                : Optional.of("worker " + rank + " writes bad progress lines, which are left out: "
                        + String.join(", ", lastSeconds.keySet()));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/** The queues that a configuration names, whether they exist yet or not. */
final class ConfiguredQueues {
    private static final String PREFIX = "yarn.scheduler.capacity.";
    private static final String ROOT = "root";

    private ConfiguredQueues() {}

    /** Their full paths, parents before children. Hadoop's own method for it is not the same in all versions. */
    static Set<String> of(Configuration conf) {
        Set<String> paths = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>();
        open.add(ROOT);
        while (!open.isEmpty()) {
            String path = open.remove();
            if (paths.add(path)) {
                conf.getTrimmedStringCollection(PREFIX + path + ".queues")
                        .forEach(child -> open.add(path + "." + child));
            }
        }
        return paths;
    }
}

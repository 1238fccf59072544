// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Threads of Treadle in this JVM, and those of the ZooKeeper clients that it makes. */
final class OurThreads {
    private static final Pattern NAMES = Pattern.compile("treadle.*|Curator.*|.*-SendThread.*|.*-EventThread");

    private OurThreads() {}

    static Set<Thread> all() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> NAMES.matcher(thread.getName()).matches())
                .collect(Collectors.toSet());
    }
}

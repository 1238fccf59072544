// SPDX-License-Identifier: Apache-2.0
package io.treadle.telemetry;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.TreeMap;

/**
 * CPU time that a process has taken up to now, ns.
 *
 * @param wall the time of it by a clock that only goes on
 * @param process of all its threads, those of the JVM too, to 10 ms
 * @param threads of each thread of Java's that lives, by name
 */
record CpuTimes(long wall, long process, Map<String, Long> threads) {
    CpuTimes {
        threads = Map.copyOf(threads);
    }

    /** Of this process. */
    static CpuTimes now() {
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        Map<String, Long> threads = new TreeMap<>();
        for (ThreadInfo thread : bean.getThreadInfo(bean.getAllThreadIds())) {
            if (thread != null) {
                threads.merge(
                        thread.getThreadName(), Math.max(0, bean.getThreadCpuTime(thread.getThreadId())), Long::sum);
            }
        }
        return new CpuTimes(
                System.nanoTime(),
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime(),
                threads);
    }

    /** What was taken since. */
    CpuTimes since(CpuTimes before) {
        Map<String, Long> spent = new TreeMap<>();
        threads.forEach((name, nanos) ->
                spent.put(name, Math.max(0, nanos - before.threads().getOrDefault(name, 0L))));
        return new CpuTimes(wall - before.wall, process - before.process, spent);
    }
}

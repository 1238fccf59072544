// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * CPU time of a worker: of its cgroup where it has one, else of its process tree. On Linux a process's {@code stat} also
 * counts its children that have ended and been waited for, so short-lived loaders are not lost.
 */
final class CpuMeter {
    /** USER_HZ: the kernel's unit of times in {@code /proc}, 100 on every architecture that runs Hadoop. */
    private static final double TICKS_PER_SECOND = 100;

    private final Optional<Path> cgroup;
    private double endedSeconds;
    private double baseSeconds;
    private double currentSeconds;

    CpuMeter(Optional<Path> cgroup) {
        // Where cpu and cpuacct are mounted apart, a group that limits CPU time does not count it.
        this.cgroup = cgroup.filter(CpuMeter::counts);
        this.baseSeconds = this.cgroup.map(CpuMeter::cgroupSeconds).orElse(0.0);
    }

    /** CPU seconds of all workers so far; never falls. */
    double seconds() {
        return endedSeconds + currentSeconds;
    }

    void measure(ProcessHandle worker) {
        double now = cgroup.isPresent() ? cgroupSeconds(cgroup.get()) - baseSeconds : treeSeconds(worker);
        currentSeconds = Math.max(currentSeconds, now);
    }

    /** The worker has ended; the next one is counted on top. */
    void workerEnded() {
        if (cgroup.isEmpty()) {
            endedSeconds += currentSeconds;
            currentSeconds = 0;
        }
    }

    private static double treeSeconds(ProcessHandle worker) {
        try (Stream<ProcessHandle> descendants = worker.descendants()) {
            return descendants.mapToDouble(CpuMeter::processSeconds).sum();
        }
    }

    private static double processSeconds(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            // The name in brackets may hold spaces; utime, stime, cutime, cstime are fields 14 to 17.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            long ticks = 0;
            for (int i = 11; i <= 14; i++) {
                ticks += Long.parseLong(fields[i]);
            }
            return ticks / TICKS_PER_SECOND;
        } catch (IOException | RuntimeException e) {
            return process.info()
                    .totalCpuDuration()
                    .map(d -> d.toMillis() / 1e3)
                    .orElse(0.0);
        }
    }

    private static boolean counts(Path cgroup) {
        try {
            return Files.exists(cgroup.resolve("cpuacct.usage"))
                    || Files.readString(cgroup.resolve("cpu.stat")).contains("usage_usec ");
        } catch (IOException e) {
            return false;
        }
    }

    private static double cgroupSeconds(Path cgroup) {
        try {
            Path usage = cgroup.resolve("cpuacct.usage");
            if (Files.exists(usage)) {
                return Long.parseLong(Files.readString(usage).trim()) / 1e9;
            }
            for (String line : Files.readAllLines(cgroup.resolve("cpu.stat"))) {
                if (line.startsWith("usage_usec ")) {
                    return Long.parseLong(line.substring("usage_usec ".length()).trim()) / 1e6;
                }
            }
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
        return 0;
    }
}

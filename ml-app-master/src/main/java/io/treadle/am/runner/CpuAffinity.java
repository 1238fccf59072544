// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import io.treadle.core.wire.ResourcesFile;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Pins a worker's processes to the CPUs that its node picked, where no cgroup limits them. Needs no root. */
final class CpuAffinity {
    private List<Integer> pinned = List.of();
    private boolean unavailable;

    /** Pins the tree when the CPUs differ from the last ones. Children that start later inherit the pin. */
    void apply(ProcessHandle worker, Optional<ResourcesFile> sizes) {
        List<Integer> wanted = sizes.map(ResourcesFile::cpus).orElse(List.of());
        if (unavailable || wanted.isEmpty() || wanted.equals(pinned)) {
            return;
        }
        String cpus = wanted.stream().map(String::valueOf).collect(Collectors.joining(","));
        try (Stream<ProcessHandle> tree = Stream.concat(Stream.of(worker), worker.descendants())) {
            for (ProcessHandle process : tree.toList()) {
                Process taskset = new ProcessBuilder("taskset", "-a", "-c", "-p", cpus, Long.toString(process.pid()))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
                taskset.waitFor(5, TimeUnit.SECONDS);
            }
            pinned = wanted;
        } catch (IOException e) {
            unavailable = true;
            RunnerLog.say("CPUs are not pinned, taskset cannot be run: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A new worker starts unpinned. */
    void reset() {
        pinned = List.of();
    }
}

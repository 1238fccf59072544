// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What figures were taken on.
 *
 * @param cpu the processor's model as the system names it
 * @param cores how many of it there are for us
 * @param jvm name and version
 * @param load runnable threads on average over the last minute; negative where the system does not tell
 */
public record Machine(String cpu, int cores, String jvm, double load) {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final double QUIET = 0.3;

    public static Machine here() {
        return new Machine(
                model(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private static String model() {
        String unknown = System.getProperty("os.arch");
        if (!Files.isReadable(CPU_INFO)) {
            return unknown;
        }
        try (Stream<String> lines = Files.lines(CPU_INFO)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElse(unknown);
        } catch (IOException e) {
            return unknown;
        }
    }

    /** Whether other work took so much of it that times by the wall clock are longer than they would be. */
    boolean isBusy() {
        return load > QUIET * cores;
    }

    public String inWords() {
        return String.format(Locale.ROOT, "%s, %d cores, %s", cpu, cores, jvm)
                + (isBusy()
                        ? String.format(
                                Locale.ROOT, "; busy with other work (load %.1f): times are longer for it", load)
                        : "");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.apache.hadoop.util.VersionInfo;

/** When, where and of what a run was, for its page. */
final class RunFacts {
    private static final Path CPUS = Path.of("/proc/cpuinfo");
    private static final double GIB = 1024.0 * 1024 * 1024;

    private RunFacts() {}

    static String line() throws IOException, InterruptedException {
        String memory =
                ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os
                        ? String.format(Locale.ROOT, ", %.0f GiB", os.getTotalMemorySize() / GIB)
                        : "";
        return "Run that ended on " + Instant.now().truncatedTo(ChronoUnit.MINUTES) + ", Hadoop "
                + VersionInfo.getVersion() + ", JDK " + System.getProperty("java.version") + ", "
                + Runtime.getRuntime().availableProcessors() + " processors (" + processor() + ")" + memory + ", "
                + System.getProperty("os.name") + " " + System.getProperty("os.version");
    }

    /** The commit of this checkout, with {@code -dirty} where files differ from it. */
    static String commit() throws IOException, InterruptedException {
        Process git = new ProcessBuilder("git", "describe", "--always", "--dirty")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return git.waitFor() == 0 ? said : "unknown";
    }

    private static String processor() throws IOException {
        if (!Files.isReadable(CPUS)) {
            return System.getProperty("os.arch");
        }
        return Files.readAllLines(CPUS).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(System.getProperty("os.arch"));
    }
}

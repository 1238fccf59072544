// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** GPUs in Slurm's lists of resources, such as {@code cpu=64,gres/gpu=8,gres/gpu:a100=8} or {@code gpu:tesla:4}. */
final class SlurmGpus {
    private static final Pattern GPU = Pattern.compile("(?:gres[:/])?gpu(?::([^:=,(]+))?[:=](\\d{1,9})(?:\\(.*)?");

    private SlurmGpus() {}

    /** A list may tell the same GPUs with and without their type: those without stand for all. */
    static long in(String resources) {
        long plain = 0;
        long typed = 0;
        for (String resource : resources.split(",")) {
            Matcher gpu = GPU.matcher(resource.trim());
            if (gpu.matches()) {
                long count = Long.parseLong(gpu.group(2));
                plain += gpu.group(1) == null ? count : 0;
                typed += gpu.group(1) == null ? 0 : count;
            }
        }
        return plain > 0 ? plain : typed;
    }
}

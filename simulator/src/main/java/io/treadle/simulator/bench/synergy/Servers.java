// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.simulator.files.WholeFile;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Servers that are alike.
 *
 * @param count how many
 * @param gpus of each
 * @param cpus of each
 * @param memoryMiB of each
 */
record Servers(int count, int gpus, int cpus, int memoryMiB) {
    private static final int GPUS = 8;
    private static final int MEMORY_MIB = 512_000;
    private static final int COUNT = 16;
    private static final int CPUS = 24;

    /** Those of Synergy's experiments, 128 GPUs, which the simulator knows by name. */
    static final Servers SYNERGY = withCpus(CPUS);

    /** Those of its deployments, 32 GPUs. */
    static final Servers SYNERGY_32 = new Servers(4, GPUS, CPUS, MEMORY_MIB);

    /** As many with another number of CPUs each. */
    static Servers withCpus(int cpus) {
        return new Servers(COUNT, GPUS, cpus, MEMORY_MIB);
    }

    /** All of them as one server, on which nothing is ever in the way of anything but the sum. */
    Servers asOne() {
        return new Servers(1, count * gpus, count * cpus, count * memoryMiB);
    }

    private boolean isKnown() {
        return equals(SYNERGY) || equals(SYNERGY_32);
    }

    String name() {
        return isKnown() ? "synergy-" + count * gpus : count + "x" + gpus + "-gpus-" + cpus + "-cpus";
    }

    /** What {@code --cluster} is to be. */
    String cluster(Path directory) {
        return isKnown() ? name() : directory.resolve(name() + ".yaml").toString();
    }

    /** @throws InputException if the file cannot be written */
    void write(Path directory) {
        if (isKnown()) {
            return;
        }
        byte[] text = ("treadle-cluster: 1\nname: " + name()
                        + "\nsharing: cpu-and-memory\nnodes:\n  - {name: server, count: " + count + ", vcores: " + cpus
                        + ", memory: " + memoryMiB + ", gpus: " + gpus + "}\n")
                .getBytes(StandardCharsets.UTF_8);
        Path file = directory.resolve(name() + ".yaml");
        try {
            WholeFile.write(file, out -> out.write(text));
        } catch (IOException e) {
            throw new InputException(file + " cannot be written: " + e.getMessage() + ".", e);
        }
    }
}

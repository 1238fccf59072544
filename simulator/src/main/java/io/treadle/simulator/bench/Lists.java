// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench;

import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.files.WholeFile;
import io.treadle.simulator.generate.Generation;
import io.treadle.simulator.generate.SynergyGeneration;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Draws lists of jobs, and clusters for them, into a directory: whoever wants to can run them again by hand. */
final class Lists {
    private final Path directory;
    private final long seed;

    Lists(Path directory, long seed) {
        this.directory = directory;
        this.seed = seed;
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new InputException(directory + " cannot be made: " + e.getMessage() + ".", e);
        }
    }

    /** So many nodes of 8 GPUs. */
    Path cluster(int nodes) {
        Path file = directory.resolve("nodes-" + nodes + ".csv");
        try {
            byte[] text = ("vc,node_num\nall," + nodes + "\n").getBytes(StandardCharsets.UTF_8);
            WholeFile.write(file, out -> out.write(text));
            return file;
        } catch (IOException e) {
            throw new InputException(file + " cannot be written: " + e.getMessage() + ".", e);
        }
    }

    /**
     * Jobs like those of a published cluster.
     *
     * @param load GPU-seconds that they ask for over those that the nodes have
     */
    Path jobs(String like, int jobs, int nodes, double load) {
        Path file = directory.resolve(like + "-" + jobs + "-on-" + nodes + ".csv.gz");
        Generation.draw(new Generation.Request(
                        like,
                        jobs,
                        seed,
                        Optional.of(ClusterReader.read(cluster(nodes).toString())),
                        OptionalDouble.of(load),
                        OptionalDouble.empty()))
                .write(file, written -> {});
        return file;
    }

    /** Synergy's own workload of 9 jobs an hour. */
    Path synergy(int jobs) {
        Path file = directory.resolve("synergy-" + jobs + ".csv.gz");
        SynergyGeneration.draw(new SynergyGeneration.Request(
                        jobs,
                        (int) (seed & Integer.MAX_VALUE),
                        SynergyGeneration.JOBS_PER_HOUR,
                        List.of(20, 70, 10),
                        SynergyGeneration.gpuMixes().get(0)))
                .write(file, written -> {});
        return file;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.sweep;

import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.generate.Generation;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Lists of jobs like those of a known cluster, one for each seed, as {@code treadle generate} draws them.
 *
 * @param directory where they lie
 * @param like the known cluster
 * @param jobs of each list
 */
public record DrawnLists(Path directory, String like, int jobs) {
    /** The file of a seed's list. */
    public Path file(long seed) {
        return directory.resolve(like + "-" + jobs + "-seed-" + seed + ".csv.gz");
    }

    /**
     * Draws them; the same seed gives the same bytes.
     *
     * @param smallest the smallest cluster that they are for: no job shall be too large for it
     * @throws InputException if a list is not as the known cluster's, or cannot be written
     */
    public void draw(List<Long> seeds, SimCluster smallest) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new InputException("cannot write to " + directory + ": " + e.getMessage() + ".", e);
        }
        seeds.forEach(seed -> draw(seed, smallest));
    }

    private void draw(long seed, SimCluster smallest) {
        Generation list = Generation.draw(new Generation.Request(
                like, jobs, seed, Optional.of(smallest), OptionalDouble.empty(), OptionalDouble.empty()));
        if (!list.isSound()) {
            throw new InputException("the list of " + jobs + " jobs like those of " + like + " drawn from --seed "
                    + seed + " is out of its bounds:\n" + list.report() + "Maybe leave that seed out.");
        }
        list.write(file(seed), written -> {});
    }
}

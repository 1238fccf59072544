// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import java.util.List;

/**
 * A job's profiled workers at one moment.
 *
 * @param seconds now, on any clock that does not go back
 * @param running whether the whole gang runs
 * @param start which start of the gang this is; a change begins every measurement anew
 * @param with what its workers have
 * @param originalVcores the fewest that a worker had before it was profiled
 * @param sizesAsWanted whether every worker has seen the size that was last wanted for it
 * @param heard whether resizes that are asked for reach the ResourceManager now: where they do not, they are waited for
 * @param workers each worker's readings
 */
public record Observation(
        double seconds,
        boolean running,
        int start,
        Conditions with,
        long originalVcores,
        boolean sizesAsWanted,
        boolean heard,
        List<SampleSeries> workers) {
    public Observation {
        workers = List.copyOf(workers);
    }

    long vcores() {
        return with.vcores();
    }

    boolean everyoneReports() {
        return !workers.isEmpty() && workers.stream().noneMatch(SampleSeries::isEmpty);
    }
}

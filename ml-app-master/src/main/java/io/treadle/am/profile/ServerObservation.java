// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import io.treadle.core.model.ps.PsSize;
import java.util.List;
import java.util.Optional;

/**
 * A job with parameter servers, as it is now.
 *
 * @param seconds time
 * @param running whether all its tasks train, each with what it will have
 * @param start which start of the gang runs
 * @param size its workers and servers; empty where it has none of one kind
 * @param batch samples of all workers' passes of a step; 0 where unknown
 * @param samples that each worker has done, over time
 */
public record ServerObservation(
        double seconds, boolean running, int start, Optional<PsSize> size, long batch, List<SampleSeries> samples) {
    public ServerObservation {
        samples = List.copyOf(samples);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

/**
 * One policy at one point of a sweep.
 *
 * @param point the point's name, of which its directory is called
 * @param load the load factor that was asked for; null where submissions are as in the trace
 * @param seed null where none was asked for
 * @param nodes of the cluster
 * @param summary its figures, the same as those of a simulation on its own
 */
public record SweepRow(
        @JsonIgnore String point,
        @Nullable Double load,
        @Nullable Long seed,
        int nodes,
        @JsonUnwrapped Summary summary) {}

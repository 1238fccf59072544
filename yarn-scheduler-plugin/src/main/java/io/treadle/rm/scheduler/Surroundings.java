// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.rm.profile.NoTelemetry;
import io.treadle.rm.profile.Telemetry;
import java.time.Clock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Time, threads and records, which the scheduler has from outside. Tests put their own in their place.
 *
 * @param nanoTime time that only grows, ns
 * @param records what is known of nodes and jobs where no ZooKeeper is set
 * @param ready whether these records have been read
 * @param stepped true where the scheduler starts no thread of its own: each round is a call of {@link RoundDriver#turn}
 */
record Surroundings(Clock clock, LongSupplier nanoTime, Telemetry records, BooleanSupplier ready, boolean stepped) {
    static final Surroundings REAL =
            new Surroundings(Clock.systemUTC(), System::nanoTime, new NoTelemetry(), () -> true, false);
}

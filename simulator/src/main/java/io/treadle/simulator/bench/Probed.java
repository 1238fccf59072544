// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench;

import java.util.List;

/**
 * What a simulation took.
 *
 * @param jobs how many ran or waited
 * @param events arrivals, starts, stops and ends
 * @param runSeconds of simulating, by the wall clock, in a JVM that has just started
 * @param warmSeconds of simulating the same after some times more: the JVM has compiled what it needs
 * @param runCpuSeconds of simulating, of its one thread
 * @param allCpuSeconds of the whole process from its start: the JVM, its compiler and collector, reading, simulating
 * @param peakHeapMb most heap in use, garbage counted with what lives
 * @param liveHeapMb what lives before the first job and after each quarter of them; empty where it was not asked for
 */
record Probed(
        int jobs,
        long events,
        double runSeconds,
        double warmSeconds,
        double runCpuSeconds,
        double allCpuSeconds,
        double peakHeapMb,
        List<Double> liveHeapMb) {
    Probed {
        liveHeapMb = List.copyOf(liveHeapMb);
    }
}

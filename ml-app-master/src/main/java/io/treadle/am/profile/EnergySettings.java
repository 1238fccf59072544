// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

/**
 * How the energy of a job is measured.
 *
 * @param enabled whether power caps are stepped through; else only those that it runs under anyway are measured
 * @param seconds the shortest that one configuration is measured
 * @param maxSeconds the longest that stepping through configurations may take
 * @param mostGpus that the job may have: the batches of other numbers of GPUs are measured up to it
 */
public record EnergySettings(boolean enabled, double seconds, double maxSeconds, int mostGpus) {
    public EnergySettings {
        if (!(seconds > 0)) {
            throw new IllegalArgumentException("treadle.profile.energy.seconds is " + seconds + ", must be above 0");
        }
        if (!(maxSeconds >= 0)) {
            throw new IllegalArgumentException(
                    "treadle.profile.energy.max-seconds is " + maxSeconds + ", must be 0 or more");
        }
        if (mostGpus < 0) {
            throw new IllegalArgumentException("most GPUs of the job is " + mostGpus + ", must be 0 or more");
        }
    }
}

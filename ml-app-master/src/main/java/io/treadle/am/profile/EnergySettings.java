// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

/**
 * How the energy of a job is measured.
 *
 * @param enabled whether power caps are stepped through; else only those that it runs under anyway are measured
 * @param seconds the shortest that one configuration is measured
 */
public record EnergySettings(boolean enabled, double seconds) {
    public EnergySettings {
        if (!(seconds > 0)) {
            throw new IllegalArgumentException("treadle.profile.energy.seconds is " + seconds + ", must be above 0");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

/**
 * How a job is measured.
 *
 * @param enabled whether sizes are stepped through; else only the sizes that it runs at anyway are measured
 * @param stepMinSeconds the shortest that one size is measured
 * @param stepMaxSeconds the longest that one size is measured
 * @param maxSeconds the longest that stepping may take in all
 * @param settleSeconds time that a worker gets to use a new size before it is measured
 * @param grantSeconds how long an increase is waited for
 * @param targetError relative standard error at which a size counts as measured
 * @param minVcores the least that a worker is given: what its job can live with
 * @param maxVcores the most that one container may have
 * @param smallestDrift the smallest lasting relative difference from the profile that begins a new one; 0 for none
 * @param driftIntervalSeconds the shortest from the end of a profile to the beginning of a new one
 */
public record ProfileSettings(
        boolean enabled,
        double stepMinSeconds,
        double stepMaxSeconds,
        double maxSeconds,
        double settleSeconds,
        double grantSeconds,
        double targetError,
        long minVcores,
        long maxVcores,
        double smallestDrift,
        double driftIntervalSeconds) {
    public ProfileSettings {
        if (!(stepMinSeconds > 0 && stepMaxSeconds >= stepMinSeconds)) {
            throw new IllegalArgumentException("treadle.profile.step-min-seconds is " + stepMinSeconds
                    + " and step-max-seconds " + stepMaxSeconds + ", must be 0 < min <= max");
        }
    }
}

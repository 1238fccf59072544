// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

/**
 * What a demo vcore is worth.
 *
 * @param coresPerVcore part of a real core for which a vcore stands
 */
public record CpuShare(double coresPerVcore) {
    /** The share for which the work of {@link JobMix} is made. */
    static final double USUAL = 0.03;

    private static final double PART_OF_MACHINE = 0.75;

    /** All vcores together take at most three quarters of the machine, and a vcore at most the usual share. */
    public static CpuShare of(int processors, int vcores) {
        double fair = PART_OF_MACHINE * processors / vcores;
        return new CpuShare(Math.floor(Math.min(USUAL, fair) * 1000) / 1000);
    }

    /** CPU time of a sample, ms, so that a vcore does as many samples a second as with the usual share. */
    double scale(double cpuMs) {
        return cpuMs * coresPerVcore / USUAL;
    }

    /** As people read it: {@code 2.6 % of a core}. */
    public String describe() {
        return String.format(java.util.Locale.ROOT, "%.1f %% of a core", coresPerVcore * 100);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import io.treadle.core.wire.ProfileRecord;
import java.util.function.BinaryOperator;

/**
 * With what a job runs while it is measured; of its workers the least.
 *
 * @param vcores vcores that a worker has seen for itself
 * @param memoryMiB memory of a worker; where it reads a dataset, as much of it as is filled
 * @param storageMBps storage bandwidth that a worker is held to; 0 for none
 * @param readsData whether memory and storage matter: its workers say what they read
 */
public record Conditions(long vcores, long memoryMiB, long storageMBps, boolean readsData) {
    /** A cache that fills changes the speed: a window is of one speed while it fills by no more. */
    private static final double SAME = 0.1;

    /** Whether the job goes as fast as with the other, but for noise. */
    boolean isAsGoodAs(Conditions other) {
        return vcores == other.vcores
                && (!(readsData || other.readsData)
                        || (storageMBps == other.storageMBps
                                && Math.abs(memoryMiB - other.memoryMiB) <= SAME * other.memoryMiB));
    }

    ProfileRecord.Point measured(RateEstimate estimate) {
        return new ProfileRecord.Point(
                vcores,
                memoryMiB,
                storageMBps,
                estimate.samplesPerSecond(),
                estimate.seconds(),
                estimate.relativeError(),
                1);
    }

    /** How two measurements of a size become one. */
    BinaryOperator<ProfileRecord.Point> merge() {
        return readsData ? ProfileRecord.Point::informedBy : ProfileRecord.Point::refinedBy;
    }

    /** Whether memory and storage allow no less than they did at the point. */
    boolean allowWhat(ProfileRecord.Point point) {
        return !readsData || probe().hadAsMuchAs(point);
    }

    /** Whether memory and storage allowed at the point no less than now. */
    boolean wereAllowedBy(ProfileRecord.Point point) {
        return !readsData || point.hadAsMuchAs(probe());
    }

    private ProfileRecord.Point probe() {
        return new ProfileRecord.Point(vcores, memoryMiB, storageMBps, 0, 0, 0, 1);
    }
}

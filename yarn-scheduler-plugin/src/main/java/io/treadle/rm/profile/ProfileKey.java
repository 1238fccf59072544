// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import io.treadle.core.wire.ZkPaths;

/**
 * Where a profile lies; every part as {@link ZkPaths#name} writes it.
 *
 * @param batch samples in a step of one worker; 0 where unknown
 */
public record ProfileKey(String user, String model, String gpu, long batch) {
    /** @param gpuModel that the job ran on; empty for jobs without GPUs */
    public static ProfileKey of(String user, String modelTag, String gpuModel, long batch) {
        return new ProfileKey(ZkPaths.name(user), ZkPaths.name(modelTag), ZkPaths.name(gpuModel), batch);
    }

    String path() {
        return ZkPaths.storedProfile(user, model, gpu, batch);
    }

    @Override
    public String toString() {
        return user + "/" + model + "/" + gpu + "/" + batch;
    }
}

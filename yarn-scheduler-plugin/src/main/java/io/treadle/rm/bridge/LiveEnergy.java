// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.energy.EnergyProfile;
import io.treadle.core.model.energy.MeasuredEnergy;
import io.treadle.core.wire.ProfileRecord;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What is known of one job's time and draw over GPUs and caps.
 *
 * @param profile over its numbers of GPUs
 * @param secondsPerSample of the whole job with the tasks that it needs, without a cap, s
 */
record LiveEnergy(EnergyProfile profile, double secondsPerSample) {
    /**
     * @param known what was measured of the job, or of one like it
     * @param groups the job's; one of them has all of its GPUs
     */
    static Optional<LiveEnergy> of(ProfileRecord known, List<TaskGroup> groups, PowerSight.Gpus gpus) {
        List<TaskGroup> withGpus =
                groups.stream().filter(group -> group.ask().gpus() > 0).toList();
        if (withGpus.size() != 1 || known.energy().isEmpty()) {
            return Optional.empty();
        }
        TaskGroup group = withGpus.get(0);
        int least = (int) (group.min() * group.ask().gpus());
        int most = (int) (group.max() * group.ask().gpus());
        return MeasuredEnergy.of(known.energy(), least, most, gpus.leastWatts(), gpus.mostWatts(), gpus.idleWatts())
                .flatMap(profile -> {
                    OptionalDouble samples = MeasuredEnergy.samplesOfIteration(profile, known.energy());
                    double seconds = profile.seconds(profile.sizeOf(least), profile.caps() - 1);
                    return samples.isPresent()
                            ? Optional.of(new LiveEnergy(profile, seconds / samples.getAsDouble()))
                            : Optional.empty();
                });
    }
}

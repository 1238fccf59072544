// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.conf.AmConf;
import io.treadle.am.profile.EnergySettings;
import io.treadle.am.profile.ProfileSettings;
import io.treadle.am.spec.JobSpec;

/**
 * How the ApplicationMaster waits and how it measures; {@code treadle.*} in the client's configuration.
 *
 * @param registerSeconds how long a launched runner may take to register
 * @param silenceSeconds how long a runner may be silent before its container counts as lost
 * @param gatherSeconds how long an elastic job that could start waits for more containers
 * @param commandSeconds how long a worker may take to obey a command
 * @param serverSeconds how long numbers of workers and parameter servers are measured at least
 */
record MasterSettings(
        double registerSeconds,
        double silenceSeconds,
        double gatherSeconds,
        double commandSeconds,
        ProfileSettings profile,
        EnergySettings energy,
        double serverSeconds) {

    /**
     * @param maxVcores the most that the ResourceManager gives to one container
     * @param schedulesPower whether the cluster has a resource type for power: without it no container can be capped
     */
    static MasterSettings of(AmConf conf, JobSpec spec, long maxVcores, boolean schedulesPower) {
        boolean gpus = spec.groups().stream().anyMatch(g -> g.gpusPerWorker() > 0 || g.gpuMemoryMiB() > 0);
        return new MasterSettings(
                conf.registerSeconds(),
                conf.silenceSeconds(),
                conf.gatherSeconds(),
                conf.commandSeconds(),
                new ProfileSettings(
                        gpus && spec.profiling().enabled(),
                        conf.stepMinSeconds(),
                        conf.stepMaxSeconds(),
                        Math.min(spec.profiling().maxSeconds(), conf.profileMaxSeconds()),
                        conf.settleSeconds(),
                        conf.grantSeconds(),
                        conf.noise(),
                        // What a task asks for is what it can live with.
                        spec.groups().get(JobViews.groupWithGpus(spec)).vcores(),
                        maxVcores,
                        conf.drift(),
                        conf.driftIntervalSeconds()),
                new EnergySettings(
                        schedulesPower && mayBeCapped(spec) && conf.measuresEnergy(),
                        conf.energySeconds(),
                        conf.energyMaxSeconds(),
                        mostGpus(spec.groups().get(JobViews.groupWithGpus(spec)))),
                conf.serverSeconds());
    }

    private static int mostGpus(JobSpec.TaskGroup group) {
        return (int) Math.min(Integer.MAX_VALUE, (long) group.count() * group.gpusPerWorker());
    }

    /** Whether all GPUs that a cap would slow are the job's, and nobody has chosen their power. */
    private static boolean mayBeCapped(JobSpec spec) {
        JobSpec.TaskGroup group = spec.groups().get(JobViews.groupWithGpus(spec));
        return spec.profiling().enabled() && group.gpusPerWorker() > 0 && group.watts() == 0;
    }
}

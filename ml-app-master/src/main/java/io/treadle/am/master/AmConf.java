// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.profile.ProfileSettings;
import io.treadle.am.spec.JobSpec;
import org.apache.hadoop.conf.Configuration;

/** The ApplicationMaster's settings, from the client's configuration. Times are seconds. */
final class AmConf {
    static final String HEARTBEAT_MS = "treadle.am.heartbeat-ms";
    static final String AM_TIMEOUT = "treadle.am-timeout-seconds";
    static final String STOP_GRACE = "treadle.worker.stop-grace-seconds";
    static final String REGISTER_TIMEOUT = "treadle.runner.register-seconds";
    static final String SILENCE_TIMEOUT = "treadle.runner.silence-seconds";
    static final String GATHER = "treadle.elastic.gather-seconds";
    static final String COMMAND_TIMEOUT = "treadle.worker.command-seconds";
    static final String STEP_MIN = "treadle.profile.step-min-seconds";
    static final String STEP_MAX = "treadle.profile.step-max-seconds";
    static final String MAX = "treadle.profile.max-seconds";
    static final String SETTLE = "treadle.profile.settle-seconds";
    static final String GRANT = "treadle.profile.grant-seconds";
    static final String NOISE = "treadle.profile.noise";

    private final Configuration configuration;

    AmConf(Configuration configuration) {
        this.configuration = configuration;
    }

    int heartbeatMs() {
        return (int) number(HEARTBEAT_MS, 500, 50, 60_000);
    }

    long amTimeoutSeconds() {
        return Math.round(number(AM_TIMEOUT, 600, 1, 1e7));
    }

    long stopGraceSeconds() {
        return Math.round(number(STOP_GRACE, 10, 0, 3600));
    }

    /**
     * @param maxVcores the most that the ResourceManager gives to one container
     * @throws IllegalArgumentException if a setting has no usable value
     */
    MasterSettings master(JobSpec spec, long maxVcores) {
        MasterSettings d = MasterSettings.DEFAULT;
        ProfileSettings p = ProfileSettings.DEFAULT;
        boolean gpus = spec.groups().stream().anyMatch(g -> g.gpusPerWorker() > 0 || g.gpuMemoryMiB() > 0);
        double stepMin = number(STEP_MIN, p.stepMinSeconds(), 0.1, 3600);
        return new MasterSettings(
                number(REGISTER_TIMEOUT, d.registerSeconds(), 1, 1e6),
                number(SILENCE_TIMEOUT, d.silenceSeconds(), 1, 1e6),
                number(GATHER, d.gatherSeconds(), 0, 1e6),
                number(COMMAND_TIMEOUT, d.commandSeconds(), 1, 1e6),
                new ProfileSettings(
                        gpus && spec.profiling().enabled(),
                        stepMin,
                        number(STEP_MAX, Math.max(stepMin, p.stepMaxSeconds()), stepMin, 1e5),
                        Math.min(spec.profiling().maxSeconds(), number(MAX, p.maxSeconds(), 0, 1e6)),
                        number(SETTLE, p.settleSeconds(), 0, 3600),
                        number(GRANT, p.grantSeconds(), 0, 3600),
                        number(NOISE, p.targetError(), 0, 1),
                        maxVcores));
    }

    private double number(String key, double otherwise, double least, double most) {
        String text = configuration.getTrimmed(key, "");
        if (text.isEmpty()) {
            return otherwise;
        }
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            value = Double.NaN;
        }
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(
                    key + " is '" + text + "', must be a number from " + least + " to " + most);
        }
        return value;
    }
}

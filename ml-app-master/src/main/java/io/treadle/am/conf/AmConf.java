// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.conf;

import io.treadle.am.protocol.RunnerProtocol;
import org.apache.hadoop.conf.Configuration;

/**
 * The ApplicationMaster's settings, from the client's configuration: the client checks them before it submits a job, the
 * ApplicationMaster uses them. Times are seconds.
 */
public final class AmConf {
    public static final String HEARTBEAT_MS = "treadle.am.heartbeat-ms";
    public static final String AM_TIMEOUT = "treadle.am-timeout-seconds";
    public static final String STOP_GRACE = "treadle.worker.stop-grace-seconds";
    public static final String REGISTER_TIMEOUT = "treadle.runner.register-seconds";
    public static final String SILENCE_TIMEOUT = "treadle.runner.silence-seconds";
    public static final String GATHER = "treadle.elastic.gather-seconds";
    public static final String COMMAND_TIMEOUT = "treadle.worker.command-seconds";
    public static final String STEP_MIN = "treadle.profile.step-min-seconds";
    public static final String STEP_MAX = "treadle.profile.step-max-seconds";
    public static final String MAX = "treadle.profile.max-seconds";
    public static final String SETTLE = "treadle.profile.settle-seconds";
    public static final String GRANT = "treadle.profile.grant-seconds";
    public static final String NOISE = "treadle.profile.noise";
    public static final String DRIFT = "treadle.profile.drift";
    public static final String DRIFT_INTERVAL = "treadle.profile.drift-interval-seconds";

    public static final String ENERGY = "treadle.profile.energy.enabled";
    public static final String ENERGY_SECONDS = "treadle.profile.energy.seconds";
    public static final String SERVER_SECONDS = "treadle.profile.servers.seconds";
    public static final String SERVICE_PORT = "treadle.service.port";
    public static final String SERVICE_PATIENCE = "treadle.service.patience-seconds";
    public static final String ENERGY_MAX = "treadle.profile.energy.max-seconds";

    private final int heartbeatMs;
    private final long amTimeoutSeconds;
    private final long stopGraceSeconds;
    private final double registerSeconds;
    private final double silenceSeconds;
    private final double gatherSeconds;
    private final double commandSeconds;
    private final double stepMinSeconds;
    private final double stepMaxSeconds;
    private final double profileMaxSeconds;
    private final double settleSeconds;
    private final double grantSeconds;
    private final double noise;
    private final double drift;
    private final double driftIntervalSeconds;
    private final boolean measuresEnergy;
    private final double energySeconds;
    private final double energyMaxSeconds;
    private final double serverSeconds;
    private final int servicePort;
    private final double servicePatienceSeconds;

    private AmConf(Configuration conf) {
        heartbeatMs = (int) number(conf, HEARTBEAT_MS, 500, 50, 60_000);
        amTimeoutSeconds = Math.round(number(conf, AM_TIMEOUT, RunnerProtocol.AM_TIMEOUT_SECONDS, 1, 1e7));
        stopGraceSeconds = Math.round(number(conf, STOP_GRACE, 10, 0, 3600));
        registerSeconds = number(conf, REGISTER_TIMEOUT, 180, 1, 1e6);
        silenceSeconds = number(conf, SILENCE_TIMEOUT, 120, 1, 1e6);
        gatherSeconds = number(conf, GATHER, 3, 0, 1e6);
        commandSeconds = number(conf, COMMAND_TIMEOUT, 30, 1, 1e6);
        stepMinSeconds = number(conf, STEP_MIN, 2, 0.1, 3600);
        stepMaxSeconds = number(conf, STEP_MAX, Math.max(stepMinSeconds, 30), stepMinSeconds, 1e5);
        profileMaxSeconds = number(conf, MAX, 600, 0, 1e6);
        settleSeconds = number(conf, SETTLE, 2, 0, 3600);
        grantSeconds = number(conf, GRANT, 5, 0, 3600);
        noise = number(conf, NOISE, 0.02, 0, 1);
        drift = number(conf, DRIFT, 0.15, 0, 10);
        driftIntervalSeconds = number(conf, DRIFT_INTERVAL, 1800, 0, 1e7);
        measuresEnergy = flag(conf, ENERGY, false);
        energySeconds = number(conf, ENERGY_SECONDS, 5, 1, 600);
        energyMaxSeconds = number(conf, ENERGY_MAX, 300, 0, 1e6);
        serverSeconds = number(conf, SERVER_SECONDS, 5, 1, 600);
        servicePatienceSeconds = number(conf, SERVICE_PATIENCE, 60, 1, 1e6);
        servicePort = (int) number(conf, SERVICE_PORT, 0, 0, 65_535);
    }

    /** @throws IllegalArgumentException if a setting has no usable value; it names the key, the value and the range */
    public static AmConf from(Configuration conf) {
        return new AmConf(conf);
    }

    private static double number(Configuration conf, String key, double otherwise, double least, double most) {
        String text = conf.getTrimmed(key, "");
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
                    key + " is '" + text + "', must be a number from " + plain(least) + " to " + plain(most));
        }
        return value;
    }

    private static boolean flag(Configuration conf, String key, boolean otherwise) {
        String text = conf.getTrimmed(key, "");
        if (text.isEmpty()) {
            return otherwise;
        }
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException(key + " is '" + text + "', must be true or false");
        }
        return text.equals("true");
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }

    public int heartbeatMs() {
        return heartbeatMs;
    }

    /** How long a worker goes on without its ApplicationMaster. */
    public long amTimeoutSeconds() {
        return amTimeoutSeconds;
    }

    /** Between SIGTERM and SIGKILL. */
    public long stopGraceSeconds() {
        return stopGraceSeconds;
    }

    /** How long a launched runner may take to register. */
    public double registerSeconds() {
        return registerSeconds;
    }

    /** How long a runner may be silent before its container counts as lost. */
    public double silenceSeconds() {
        return silenceSeconds;
    }

    /** How long an elastic job that could start waits for more containers. */
    public double gatherSeconds() {
        return gatherSeconds;
    }

    /** How long a worker may take to obey a command. */
    public double commandSeconds() {
        return commandSeconds;
    }

    /** The shortest that one size is measured. */
    public double stepMinSeconds() {
        return stepMinSeconds;
    }

    /** The longest that one size is measured. */
    public double stepMaxSeconds() {
        return stepMaxSeconds;
    }

    /** The longest that profiling may take in all. */
    public double profileMaxSeconds() {
        return profileMaxSeconds;
    }

    /** Time that a worker gets to use a new size before it is measured. */
    public double settleSeconds() {
        return settleSeconds;
    }

    /** How long an increase is waited for. */
    public double grantSeconds() {
        return grantSeconds;
    }

    /** Relative standard error at which a size counts as measured. */
    public double noise() {
        return noise;
    }

    /** The smallest lasting relative difference from the profile that begins a new one; 0 for none. */
    public double drift() {
        return drift;
    }

    /** The shortest from the end of a profile to the beginning of a new one. */
    public double driftIntervalSeconds() {
        return driftIntervalSeconds;
    }

    /** Whether a job's energy is measured under power caps, where its nodes say what it spends. */
    public boolean measuresEnergy() {
        return measuresEnergy;
    }

    /** The shortest that a job's energy is measured under one cap. */
    public double energySeconds() {
        return energySeconds;
    }

    /** The longest that all of it may take. */
    public double energyMaxSeconds() {
        return energyMaxSeconds;
    }

    /** How long numbers of workers and parameter servers are measured at least. */
    public double serverSeconds() {
        return serverSeconds;
    }

    /** Where a service answers queries; 0 for any port that is free. */
    public int servicePort() {
        return servicePort;
    }

    /** How long a service keeps workers that nothing needs. */
    public double servicePatienceSeconds() {
        return servicePatienceSeconds;
    }
}

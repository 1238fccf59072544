// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import io.treadle.am.protocol.CredentialsFile;
import io.treadle.am.protocol.RunnerProtocol;
import io.treadle.core.wire.ContainerRuntime;
import io.treadle.core.wire.WorkerEnvironment;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What a runner is told by its container's environment.
 *
 * @param amAddress {@code host:port} of the ApplicationMaster that launched it
 * @param secret the job's secret, from the container's credentials
 * @param host the container's host as its node names it
 * @param controlDir directory that the node writes; empty where no node plugin runs
 * @param cpuCgroup the cgroup that limits the worker's CPU; empty where there is none
 * @param logDir where the worker's stdout and stderr go
 * @param workDir the container's working directory
 * @param amTimeout how long the worker goes on without its ApplicationMaster
 * @param stopGrace time between SIGTERM and SIGKILL
 */
record RunnerEnvironment(
        String containerId,
        String amAddress,
        String secret,
        String host,
        Optional<Path> controlDir,
        Optional<Path> cpuCgroup,
        Path logDir,
        Path workDir,
        Duration amTimeout,
        Duration stopGrace) {
    /**
     * @throws IllegalArgumentException if a variable that YARN or the ApplicationMaster sets is missing
     * @throws IOException if the container's credentials cannot be read, or its own address cannot be found
     */
    static RunnerEnvironment of(Map<String, String> env, Path workDir) throws IOException {
        return new RunnerEnvironment(
                required(env, RunnerProtocol.ENV_CONTAINER_ID),
                required(env, RunnerProtocol.ENV_AM_ADDRESS),
                CredentialsFile.secret(
                        Path.of(required(env, RunnerProtocol.ENV_CREDENTIALS_FILE)), RunnerProtocol.JOB_SECRET),
                host(env),
                path(env, WorkerEnvironment.CONTROL_DIR),
                path(env, WorkerEnvironment.CPU_CGROUP),
                path(env, RunnerProtocol.ENV_LOG_DIR).orElse(workDir),
                workDir,
                seconds(env, RunnerProtocol.ENV_AM_TIMEOUT_SECONDS, RunnerProtocol.AM_TIMEOUT_SECONDS),
                seconds(env, RunnerProtocol.ENV_STOP_GRACE_SECONDS, 10));
    }

    /** On a network of containers others reach it by its own address, not by its node's. */
    private static String host(Map<String, String> env) throws IOException {
        String network = env.getOrDefault(ContainerRuntime.DOCKER.networkVariable(), "");
        return network.isEmpty() || network.equals("host")
                ? env.getOrDefault("NM_HOST", "localhost")
                : InetAddress.getLocalHost().getHostAddress();
    }

    private static String required(Map<String, String> env, String name) {
        String value = env.get(name);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException("environment variable " + name + " is missing.\n"
                    + "Maybe the runner was started by hand: only Treadle's ApplicationMaster starts it.");
        }
        return value;
    }

    private static Optional<Path> path(Map<String, String> env, String name) {
        String value = env.getOrDefault(name, "");
        return value.isEmpty() ? Optional.empty() : Optional.of(Path.of(value));
    }

    private static Duration seconds(Map<String, String> env, String name, long otherwise) {
        String value = env.getOrDefault(name, "");
        return Duration.ofSeconds(value.matches("[0-9]{1,9}") ? Long.parseLong(value) : otherwise);
    }
}

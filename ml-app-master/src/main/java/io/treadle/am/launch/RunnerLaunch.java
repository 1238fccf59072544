// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.launch;

import io.treadle.am.protocol.RunnerProtocol;
import io.treadle.am.spec.ContainerSpec;
import io.treadle.core.wire.WorkerEnvironment;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.LocalResource;

/** Describes the start of a runner to a NodeManager. */
public final class RunnerLaunch {
    private static final String MAIN = "io.treadle.am.runner.WorkerRunner";
    /** A small heap and no optimising compiler: the runner must not take from its worker. */
    private static final String JVM = "-Xmx32m -Xss512k -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto";

    private static final String HADOOP_USER_NAME = "HADOOP_USER_NAME";

    private final Map<String, LocalResource> files;
    private final String amAddress;
    private final long amTimeoutSeconds;
    private final long stopGraceSeconds;
    private final ByteBuffer credentials;
    private final List<Optional<ContainerSpec>> containers;

    /**
     * @param credentials the job's secret and the tokens of the file systems that workers read, in Hadoop's format; never
     *     the AM's own token. Nodes keep environments where everybody who may see logs reads them, so the secret is here.
     * @param containers the image of each task group, in their order
     */
    public RunnerLaunch(
            Map<String, LocalResource> files,
            String amAddress,
            long amTimeoutSeconds,
            long stopGraceSeconds,
            ByteBuffer credentials,
            List<Optional<ContainerSpec>> containers) {
        this.files = Map.copyOf(files);
        this.amAddress = amAddress;
        this.amTimeoutSeconds = amTimeoutSeconds;
        this.stopGraceSeconds = stopGraceSeconds;
        this.credentials = credentials;
        this.containers = List.copyOf(containers);
    }

    /** @param group index of the container's task group */
    public ContainerLaunchContext contextFor(String containerId, int group) {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put(WorkerEnvironment.WANTS_CONTROL_DIR, "true");
        containers.get(group).ifPresent(container -> {
            environment.putAll(container.variables());
            environment.put(
                    RunnerProtocol.ENV_CONTAINER_RUNTIME, container.runtime().word());
            environment.put(RunnerProtocol.ENV_CONTAINER_IMAGE, container.image());
        });
        environment.put(RunnerProtocol.ENV_AM_ADDRESS, amAddress);
        environment.put(RunnerProtocol.ENV_CONTAINER_ID, containerId);
        environment.put(RunnerProtocol.ENV_LOG_DIR, ApplicationConstants.LOG_DIR_EXPANSION_VAR);
        environment.put(RunnerProtocol.ENV_AM_TIMEOUT_SECONDS, Long.toString(amTimeoutSeconds));
        environment.put(RunnerProtocol.ENV_STOP_GRACE_SECONDS, Long.toString(stopGraceSeconds));
        String user = System.getenv(HADOOP_USER_NAME);
        if (user != null) {
            // Without Kerberos a node runs containers as its own user, who is not the job's.
            environment.put(HADOOP_USER_NAME, user);
        }
        String command = "exec " + ApplicationConstants.Environment.JAVA_HOME.$$() + "/bin/java " + JVM + " -cp "
                + StagedFiles.JAR + " " + MAIN + " 1>" + ApplicationConstants.LOG_DIR_EXPANSION_VAR
                + "/runner.out 2>" + ApplicationConstants.LOG_DIR_EXPANSION_VAR + "/runner.log";
        return ContainerLaunchContext.newInstance(
                new LinkedHashMap<>(files), environment, List.of(command), null, credentials.duplicate(), null);
    }
}

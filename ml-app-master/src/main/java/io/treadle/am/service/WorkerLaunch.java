// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.service;

import io.treadle.am.conf.ContainerClassPath;
import io.treadle.am.launch.StagedFiles;
import io.treadle.am.protocol.RunnerProtocol;
import io.treadle.am.protocol.ServiceProtocol;
import io.treadle.am.spec.ServiceSpec.Workers;
import io.treadle.core.wire.WorkerEnvironment;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.LocalResource;

/**
 * Describes the start of a service's worker to a NodeManager.
 *
 * @param files that it finds in its directory
 * @param classPath in variables that the NodeManager replaces
 * @param masterAddress {@code host:port}
 * @param aloneSeconds how long it stays without a master
 * @param credentials the service's secret
 */
record WorkerLaunch(
        Workers size,
        Map<String, LocalResource> files,
        String classPath,
        String masterAddress,
        long aloneSeconds,
        ByteBuffer credentials) {
    private static final String MAIN = "io.treadle.am.query.onnx.OnnxWorker";
    private static final String HADOOP_USER_NAME = "HADOOP_USER_NAME";

    ContainerLaunchContext contextFor(String containerId) {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put(WorkerEnvironment.WANTS_CONTROL_DIR, "true");
        size.container().ifPresent(container -> {
            environment.putAll(container.variables());
            environment.put(
                    RunnerProtocol.ENV_CONTAINER_RUNTIME, container.runtime().word());
            environment.put(RunnerProtocol.ENV_CONTAINER_IMAGE, container.image());
        });
        environment.put(Environment.CLASSPATH.name(), classPath);
        environment.put(RunnerProtocol.ENV_AM_ADDRESS, masterAddress);
        environment.put(RunnerProtocol.ENV_CONTAINER_ID, containerId);
        environment.put(RunnerProtocol.ENV_AM_TIMEOUT_SECONDS, Long.toString(aloneSeconds));
        environment.put(ServiceProtocol.ENV_THREADS, Long.toString(size.vcores()));
        if (size.modelMemoryMiB().isPresent() || size.gpuMemoryMiB() > 0) {
            environment.put(ServiceProtocol.ENV_MODEL_MEMORY_MIB, Long.toString(size.modelMemory(0)));
        }
        String user = System.getenv(HADOOP_USER_NAME);
        if (user != null) {
            // Without Kerberos a node runs containers as its own user, who is not the service's.
            environment.put(HADOOP_USER_NAME, user);
        }
        String log = ApplicationConstants.LOG_DIR_EXPANSION_VAR;
        String command = "exec " + Environment.JAVA_HOME.$$() + "/bin/java -Xmx" + Math.max(32, size.heapMiB())
                + "m -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError -Xshare:auto " + ContainerClassPath.LOGGING + " "
                + ApplicationConstants.JVM_ADD_OPENS_VAR + " " + MAIN + " 1>" + log
                + "/worker.out 2>" + log + "/worker.log";
        return ContainerLaunchContext.newInstance(
                new LinkedHashMap<>(files), environment, List.of(command), null, credentials.duplicate(), null);
    }

    /** Names of the jars that it needs. */
    static String[] jars() {
        return new String[] {StagedFiles.JAR, ServiceProtocol.ONNX_JAR};
    }

    /** Credentials never show in logs. */
    @Override
    public String toString() {
        return "WorkerLaunch[" + size + "]";
    }
}

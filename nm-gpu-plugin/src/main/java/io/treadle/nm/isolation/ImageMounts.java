// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import io.treadle.core.wire.ContainerRuntime;
import io.treadle.core.wire.WorkerEnvironment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells which containers YARN starts from an image, by YARN's own rules, and has the control directory mounted into those
 * whose application wants it. Others are left alone: a mount that the admin does not allow keeps a container from starting.
 */
public final class ImageMounts {
    private static final Logger LOG = LoggerFactory.getLogger(ImageMounts.class);

    private static final String EXECUTOR = "yarn.nodemanager.container-executor.class";
    private static final String DEFAULT_RUNTIME = "yarn.nodemanager.runtime.linux.type";

    private final boolean knowsImages;
    private final String defaultRuntime;

    public ImageMounts(Configuration conf) {
        this.knowsImages = LinuxContainerExecutor.class.isAssignableFrom(
                conf.getClass(EXECUTOR, DefaultContainerExecutor.class, ContainerExecutor.class));
        this.defaultRuntime = conf.getTrimmed(DEFAULT_RUNTIME, "");
    }

    /** The runtime that starts a container with this environment; empty for a plain process. */
    public Optional<ContainerRuntime> runtime(Map<String, String> environment) {
        return knowsImages
                ? ContainerRuntime.of(environment.getOrDefault(ContainerRuntime.TYPE_VARIABLE, defaultRuntime))
                : Optional.empty();
    }

    /** True if the launch asks for an image, which this node's executor does not know. */
    public boolean ignoresImage(Map<String, String> environment) {
        return !knowsImages
                && ContainerRuntime.of(environment.getOrDefault(ContainerRuntime.TYPE_VARIABLE, ""))
                        .isPresent();
    }

    /** True if the container is started from an image and wants the directory there. */
    public boolean wantsControlDirectory(Map<String, String> environment) {
        return runtime(environment).isPresent()
                && Boolean.parseBoolean(environment.get(WorkerEnvironment.WANTS_CONTROL_DIR));
    }

    /** Adds the directory, read-only and at the same path, to the mounts in the environment, once. */
    public void mount(Path directory, Map<String, String> environment) {
        String path = directory.toString();
        if (path.contains(",") || path.contains(":")) {
            LOG.error(
                    "{} cannot be mounted into a container: YARN takes no path with ',' or ':'.\nMaybe set"
                            + " yarn.nodemanager.treadle.control-dir to another one",
                    path);
            return;
        }
        runtime(environment).ifPresent(runtime -> {
            String mount = path + ":" + path + ":ro";
            String others = environment.getOrDefault(runtime.mountsVariable(), "");
            if (!List.of(others.split(",")).contains(mount)) {
                environment.put(runtime.mountsVariable(), others.isEmpty() ? mount : others + "," + mount);
            }
        });
    }
}

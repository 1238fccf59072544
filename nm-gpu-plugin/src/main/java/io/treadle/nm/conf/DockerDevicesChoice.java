// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.conf;

/** How a container's devices get into a Docker container. */
public enum DockerDevicesChoice {
    /** NVIDIA's runtime for its GPUs, device files for those of others, nothing for simulated ones. */
    AUTO,
    /** Docker's runtime {@code nvidia}, which reads the devices from the container's environment. */
    NVIDIA_RUNTIME,
    /** The devices' own files. */
    DEVICE_FILES,
    /** The plugin does nothing: the daemon or the images see to it. */
    NONE
}

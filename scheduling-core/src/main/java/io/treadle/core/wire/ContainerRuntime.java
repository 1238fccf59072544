// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * A container runtime of YARN's LinuxContainerExecutor that starts a container from an image, and the variables by which a
 * launch tells YARN of it.
 */
public enum ContainerRuntime {
    DOCKER,
    RUNC;

    /** Names the runtime of a launch; unset for that of the node. */
    public static final String TYPE_VARIABLE = "YARN_CONTAINER_RUNTIME_TYPE";

    /** YARN's word for it, in the variable and in settings. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Empty for words that name no runtime of images, such as {@code default}. */
    public static Optional<ContainerRuntime> of(String word) {
        return Arrays.stream(values()).filter(r -> r.word().equals(word)).findFirst();
    }

    /** Names the image. */
    public String imageVariable() {
        return prefix() + "IMAGE";
    }

    /** Lists {@code source:destination:ro} or {@code :rw}, joined by commas. */
    public String mountsVariable() {
        return prefix() + "MOUNTS";
    }

    /** Names the network; only Docker has some. */
    public String networkVariable() {
        return prefix() + "CONTAINER_NETWORK";
    }

    private String prefix() {
        return "YARN_CONTAINER_RUNTIME_" + name() + "_";
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.yarn;

import java.util.List;
import java.util.Set;

/** What the ResourceManager tells an application of its containers. */
public interface ContainerEvents {
    void onGranted(List<GrantedContainer> containers);

    void onLost(List<LostContainer> containers);

    /** A container has another size from now on. */
    void onResized(String containerId, long vcores, long memoryMiB, int version);

    /** The ResourceManager wants these back soon, and takes them if they do not come. */
    void onPreemptionMessage(Set<String> containerIds);

    /** Whether the container is one that the application knows as its own. */
    boolean owns(String containerId);

    /** From 0 to 1, for people to see. */
    float progress();
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.yarn;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** An application that has some containers, asks for nothing, and notes what it loses. */
final class ListeningApplication implements ContainerEvents {
    final List<String> lost = new ArrayList<>();
    private final Set<String> own;

    ListeningApplication(Set<String> own) {
        this.own = own;
    }

    @Override
    public void onGranted(List<GrantedContainer> containers) {}

    @Override
    public void onLost(List<LostContainer> containers) {
        containers.forEach(container -> lost.add(container.id()));
    }

    @Override
    public void onResized(String containerId, long vcores, long memoryMiB, int version) {}

    @Override
    public void onPreemptionMessage(Set<String> containerIds) {}

    @Override
    public boolean owns(String containerId) {
        return own.contains(containerId);
    }

    @Override
    public float progress() {
        return 0;
    }
}

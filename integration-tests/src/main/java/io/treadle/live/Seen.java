// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.cluster.ApplicationView;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.RunningContainer;
import io.treadle.core.wire.ProgressLine;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** When a job was first and last seen to do what, ms since the epoch; looked at a few times a second. */
final class Seen {
    private long submittedMs;
    private long registeredMs;
    private long heldMs;
    private long releasedMs;
    private long finishedMs;
    private final Set<String> containers = new LinkedHashSet<>();

    void look(ApplicationView view, long nowMs) {
        submittedMs = view.submittedMs();
        finishedMs = view.finishedMs();
        if (registeredMs == 0 && !view.trackingUrl().isEmpty()) {
            registeredMs = nowMs;
        }
        if (!view.workers().isEmpty()) {
            heldMs = heldMs == 0 ? nowMs : heldMs;
            releasedMs = nowMs;
            view.workers().stream().map(RunningContainer::containerId).forEach(containers::add);
        }
    }

    StartUp startUp(EmbeddedCluster cluster) {
        double trained = containers.stream()
                .mapToDouble(container -> trainedSeconds(Progress.lines(Progress.file(cluster, container))))
                .max()
                .orElse(0);
        return new StartUp(
                (registeredMs - submittedMs) / 1e3,
                Math.max(0, (releasedMs - heldMs) / 1e3 - trained),
                Math.max(0, finishedMs - releasedMs) / 1e3);
    }

    private static double trainedSeconds(List<ProgressLine> lines) {
        return lines.isEmpty()
                ? 0
                : lines.get(lines.size() - 1).ts() - lines.get(0).ts();
    }
}

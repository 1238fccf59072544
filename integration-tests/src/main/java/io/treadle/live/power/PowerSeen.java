// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import io.treadle.cluster.ApplicationView;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.RunningContainer;
import io.treadle.core.wire.ProgressLine;
import io.treadle.live.Progress;
import io.treadle.live.StartUp;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** When a job was first and last seen to do what, ms since the epoch; looked at a few times a second. */
final class PowerSeen {
    /** Longer than any iteration: who says nothing for so long has stopped, s. */
    private static final double PAUSE_SECONDS = 1;

    private long submittedMs;
    private long registeredMs;
    private long heldMs;
    private long releasedMs;
    private long finishedMs;
    /** Times at which it was last seen without GPUs in between, ms. */
    private final List<Long> suspendedMs = new ArrayList<>();

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
        } else if (heldMs > 0 && !view.ended()) {
            suspendedMs.add(nowMs);
        }
    }

    /** What the job cost beside waiting and training; {@code idleSeconds} from its first GPU to its first sample. */
    StartUp startUp(EmbeddedCluster cluster) {
        List<Double> said = said(cluster);
        double first = said.isEmpty() ? heldMs / 1e3 : said.get(0);
        return new StartUp(
                Math.max(0, (registeredMs - submittedMs) / 1e3),
                Math.max(0, first - heldMs / 1e3),
                Math.max(0, (finishedMs - releasedMs) / 1e3));
    }

    /** For how long it trained not each time that it got other GPUs, s; waiting without any is not counted. */
    List<Double> pauses(EmbeddedCluster cluster) {
        List<Double> said = said(cluster);
        List<Double> pauses = new ArrayList<>();
        for (int i = 1; i < said.size(); i++) {
            double from = said.get(i - 1);
            double to = said.get(i);
            boolean waited = suspendedMs.stream().anyMatch(ms -> ms / 1e3 > from && ms / 1e3 < to);
            if (to - from > PAUSE_SECONDS && !waited) {
                pauses.add(to - from);
            }
        }
        return pauses;
    }

    /** When any of its workers said anything, s since the epoch, in order. */
    private List<Double> said(EmbeddedCluster cluster) {
        return containers.stream()
                .flatMap(container -> Progress.files(cluster, container).stream())
                .flatMap(file -> Progress.lines(file).stream())
                .map(ProgressLine::ts)
                .sorted()
                .toList();
    }
}

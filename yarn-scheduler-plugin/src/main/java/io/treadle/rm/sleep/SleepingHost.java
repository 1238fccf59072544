// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A host that is not on, or is to go.
 *
 * @param kind what its NodeManagers offer when it is on
 * @param ids {@code host:port} of the NodeManagers that were taken out; empty where another ResourceManager did that
 * @param peakWatts what it draws at most, W; 0 where that is not known
 * @param sinceMs when it came to this stage, ms
 * @param unreachable whether it could not be switched on, or has not come: nobody counts on it
 * @param mustReturn whether it is asked back though nobody needs it: its NodeManagers were stopped and it is not off
 */
record SleepingHost(
        List<NodeKind> kind,
        List<String> ids,
        double peakWatts,
        Stage stage,
        long sinceMs,
        boolean unreachable,
        boolean mustReturn) {
    enum Stage {
        /** It goes as soon as that is written down. */
        CHOSEN,
        DRAINING,
        /** It drained and is to take containers again. */
        TAKEN_BACK,
        OFF,
        WAKING
    }

    /** Whether it takes containers, as far as it is decided. */
    boolean isOn() {
        return stage == Stage.CHOSEN || stage == Stage.TAKEN_BACK;
    }

    static SleepingHost chosen(HostSight host, double peakWatts, long nowMs) {
        return new SleepingHost(host.kind(), host.ids(), peakWatts, Stage.CHOSEN, nowMs, false, false);
    }

    SleepingHost to(Stage next, long nowMs) {
        return new SleepingHost(kind, ids, peakWatts, next, nowMs, unreachable, mustReturn);
    }

    SleepingHost draining(List<String> taken, long nowMs) {
        return new SleepingHost(kind, taken, peakWatts, Stage.DRAINING, nowMs, unreachable, mustReturn);
    }

    /** It could not be switched on. */
    SleepingHost unreached(long nowMs) {
        return new SleepingHost(kind, ids, peakWatts, Stage.OFF, nowMs, true, mustReturn);
    }

    /** Its NodeManagers, or some of them, were stopped, and it is not to be off. */
    SleepingHost askedBack(long nowMs) {
        return new SleepingHost(kind, ids, peakWatts, Stage.OFF, nowMs, unreachable, true);
    }

    /** What it offers beyond the NodeManagers that are there already. */
    List<NodeKind> missing(@Nullable HostSight there) {
        List<NodeKind> missing = new ArrayList<>(kind);
        if (there != null) {
            there.managers().stream()
                    .filter(node -> node.stage() == NodeSight.Stage.RUNNING)
                    .forEach(node -> {
                        if (!missing.remove(node.kind()) && !missing.isEmpty()) {
                            missing.remove(missing.size() - 1);
                        }
                    });
        }
        return missing;
    }
}

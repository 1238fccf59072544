// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.sweep;

import io.treadle.simulator.replay.Replay;
import io.treadle.simulator.replay.ReplayRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Traces that several points replay: each is read once, when the first wants it, and let go of after the last. */
final class SharedReplays {
    /** One trace on one cluster. */
    private static final class Shared {
        private int users;
        private @Nullable Replay read;

        synchronized Replay read(ReplayRequest request) {
            Replay replay = read;
            if (replay == null) {
                replay = request.read();
                read = replay;
            }
            return replay;
        }

        synchronized void release() {
            users--;
            if (users == 0) {
                read = null;
            }
        }
    }

    private final Map<ReplayRequest, Shared> traces = new HashMap<>();

    /**
     * @param points those that will ask
     * @param times how often each asks and releases
     */
    SharedReplays(List<SweepPoint> points, ToIntFunction<SweepPoint> times) {
        points.forEach(
                point -> traces.computeIfAbsent(point.trace(), key -> new Shared()).users += times.applyAsInt(point));
    }

    /** @throws io.treadle.simulator.input.InputException if a file cannot be used, or a job could never run */
    Replay replay(SweepPoint point) {
        return of(point).read(point.trace()).atLoad(point.load());
    }

    void release(SweepPoint point) {
        of(point).release();
    }

    private Shared of(SweepPoint point) {
        return Objects.requireNonNull(traces.get(point.trace()), point.name());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.wire.MemoryLimit;
import io.treadle.core.wire.MemoryRecord;
import io.treadle.rm.profile.Telemetry;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * Memory that is wanted back from running containers. A container must not shrink before its worker's cache has: it would
 * be killed, or the node would be short of memory that others were given. So a wish goes to the job's ApplicationMaster, and
 * only its answer lets the container shrink. Used by the planner thread.
 */
public final class MemoryWishes {
    /** Who has not given memory up by then keeps it; plans go by that. */
    static final long PATIENCE_MS = 30_000;
    /** After so long it is asked again. */
    static final long REST_MS = 300_000;
    /** A container that was asked for a little more than is wanted now is not asked again. */
    private static final double NEAR = 0.8;

    private record Wish(MemoryLimit limit, long sinceMs) {}

    private final Telemetry telemetry;
    private final BiConsumer<String, MemoryRecord> teller;
    private final Map<String, Map<String, Wish>> wishes = new ConcurrentHashMap<>();
    private final Map<String, MemoryRecord> told = new ConcurrentHashMap<>();
    /** Until when, ms. */
    private final Map<String, Long> refused = new ConcurrentHashMap<>();

    /** @param teller tells the ApplicationMaster of an application */
    public MemoryWishes(Telemetry telemetry, BiConsumer<String, MemoryRecord> teller) {
        this.telemetry = telemetry;
        this.teller = teller;
    }

    /**
     * The memory that a container can be brought to now, MiB: what is planned where it holds less, and where it holds more,
     * what its worker has made do with.
     */
    long attainable(String job, ContainerId container, long heldMiB, long plannedMiB, long nowMs) {
        Map<String, Wish> ofJob = wishes.computeIfAbsent(job, key -> new HashMap<>());
        String id = container.toString();
        Optional<Wish> before = Optional.ofNullable(ofJob.get(id));
        long wished = before.map(w -> w.limit().memoryMiB()).orElse(0L);
        if (plannedMiB >= heldMiB) {
            if (wished > 0 && (plannedMiB > heldMiB || wished < heldMiB)) {
                // It stands in the way.
                ofJob.put(id, next(before, 0, nowMs));
            }
            return plannedMiB;
        }
        Wish wish = before.filter(w -> wished <= plannedMiB && wished >= NEAR * plannedMiB)
                .orElseGet(() -> next(before, plannedMiB, nowMs));
        ofJob.put(id, wish);
        long given = given(job, id, wish).orElse(heldMiB);
        if (given > plannedMiB && nowMs - wish.sinceMs() > PATIENCE_MS) {
            refused.put(id, nowMs + REST_MS);
        }
        return Math.min(heldMiB, Math.max(plannedMiB, given));
    }

    private static Wish next(Optional<Wish> before, long memoryMiB, long nowMs) {
        // Above all that a ResourceManager before this one has said.
        long version = Math.max(nowMs, before.map(w -> w.limit().version() + 1).orElse(0L));
        return new Wish(new MemoryLimit(version, memoryMiB), nowMs);
    }

    private Optional<Long> given(String job, String container, Wish wish) {
        return telemetry
                .memoryGiven(job)
                .map(record -> record.containers().get(container))
                .filter(answer -> answer.version() == wish.limit().version())
                .map(MemoryLimit::memoryMiB);
    }

    /** Whether the container keeps what it has, as it did not give it up when it was asked. */
    boolean isRefused(ContainerId container, long nowMs) {
        return refused.getOrDefault(container.toString(), 0L) > nowMs;
    }

    /** Tells the job's ApplicationMaster what has changed. */
    void tell(String job, Set<ContainerId> live) {
        Map<String, Wish> ofJob = wishes.computeIfAbsent(job, key -> new HashMap<>());
        ofJob.keySet().retainAll(live.stream().map(ContainerId::toString).collect(Collectors.toSet()));
        MemoryRecord record = new MemoryRecord(ofJob.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().limit())));
        // An earlier ResourceManager may have said something that nobody means any more.
        boolean unsaid = !told.containsKey(job)
                && record.containers().isEmpty()
                && telemetry.memoryGiven(job).isEmpty();
        if (!unsaid && !record.equals(told.put(job, record))) {
            teller.accept(job, record);
        }
    }

    /** Forgets all jobs but these, and refusals that are over. */
    public void keep(Set<String> jobs, long nowMs) {
        wishes.keySet().retainAll(jobs);
        told.keySet().retainAll(jobs);
        refused.values().removeIf(until -> until <= nowMs);
    }
}

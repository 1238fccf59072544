// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.core.wire.DataReport;
import io.treadle.core.wire.MemoryLimit;
import io.treadle.core.wire.MemoryRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Passes what memory the scheduler wants back on to the workers, and their answers to the scheduler: a container shrinks only
 * when its worker's cache has given the memory up. Guarded by the {@link JobMaster}.
 */
final class MemoryDesk {
    private static final double MIB = 1 << 20;
    /** Processes breathe: a container needs this much more than is resident at one moment, and at least the next. */
    private static final double BREATHING = 1.1;

    private static final long LEAST_BREATHING_MIB = 32;
    /** Answers that differ by less are the same. */
    private static final long STEP_MIB = 16;

    private MemoryDesk() {}

    /** The scheduler's word; a container that it does not name any more is free to use all that it has. */
    static void wanted(List<Member> members, MemoryRecord record, double nowSeconds) {
        for (Member member : members) {
            MemoryLimit wanted = record.containers().get(member.id());
            if (wanted != null && wanted.version() > member.memoryWanted.version()) {
                member.memoryWanted = wanted;
                member.memoryWantedSeconds = nowSeconds;
            } else if (wanted == null && member.memoryWanted.memoryMiB() > 0) {
                member.memoryWanted = new MemoryLimit(member.memoryWanted.version() + 1, 0);
            }
        }
    }

    /** What the worker is to be told; empty before anything was asked. */
    static Optional<MemoryLimit> limit(Member member) {
        return member.memoryWanted.version() > 0 ? Optional.of(member.memoryWanted) : Optional.empty();
    }

    /** What those can live with that have done as they were asked. */
    static MemoryRecord given(List<Member> members) {
        Map<String, MemoryLimit> given = new HashMap<>();
        for (Member member : members) {
            if (hasAnswered(member)) {
                long now = Math.max(member.memoryWanted.memoryMiB(), neededMiB(member));
                given.put(member.id(), new MemoryLimit(member.memoryWanted.version(), now));
            }
        }
        return new MemoryRecord(given);
    }

    /** Whether its cache keeps to what is wanted now. */
    static boolean hasAnswered(Member member) {
        return member.memoryWanted.memoryMiB() > 0
                && member.data.stream().anyMatch(data -> data.memoryVersion() == member.memoryWanted.version());
    }

    /** What its container must have, MiB; 0 where nobody knows. */
    static long neededMiB(Member member) {
        return member.data.map(data -> needs(data, member.residentMiB)).orElse(0L);
    }

    /**
     * MiB that a container must have: its cache, and the larger of what it says and what it shows that it needs beside
     * it.
     */
    private static long needs(DataReport data, long residentMiB) {
        double beside = Math.max(
                data.workingMemoryMiB(), Math.max(residentMiB * BREATHING, residentMiB + (double) LEAST_BREATHING_MIB));
        long needs = (long) Math.ceil(data.cachedBytes() / MIB + beside);
        return (needs + STEP_MIB - 1) / STEP_MIB * STEP_MIB;
    }

    /** The memory of a worker that counts for its speed: as much of its cache as is filled, where it has one. */
    static long usedMiB(Member member) {
        return member.data
                .map(data -> Math.min(member.memoryMiB, data.workingMemoryMiB() + (long) (data.cachedBytes() / MIB)))
                .orElse(member.memoryMiB);
    }
}

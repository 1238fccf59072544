// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Workers that do not follow what their containers have. They are measured at that all the same: it is what more or
 * less of it does for the job. Guarded by the {@link JobMaster}.
 */
final class Disobedience {
    private static final Logger LOG = LoggerFactory.getLogger(Disobedience.class);

    /** A cache that follows gives memory up within a second or two. */
    private static final double MEMORY_SECONDS = 30;

    private final Set<String> logged = new HashSet<>();

    /** A line for each worker that does not follow, of which there is something to say; news is logged. */
    List<String> of(List<Member> members, double nowSeconds) {
        List<String> lines = new ArrayList<>();
        Set<String> now = new HashSet<>();
        for (int rank = 0; rank < members.size(); rank++) {
            Member member = members.get(rank);
            if (member.done) {
                continue;
            }
            if (member.cpu.isAboveSize()) {
                say(
                        lines,
                        now,
                        member.id() + " vcores " + member.vcoresSeen,
                        String.format(
                                Locale.ROOT,
                                "worker %d does not follow its size: has %d %s, uses %.1f",
                                rank,
                                member.vcoresSeen,
                                member.vcoresSeen == 1 ? "vcore" : "vcores",
                                member.cpu.vcores()));
            }
            if (keepsMemory(member, nowSeconds)) {
                say(
                        lines,
                        now,
                        member.id() + " memory " + member.memoryWanted.version(),
                        String.format(
                                Locale.ROOT,
                                "worker %d does not give memory back: %d MiB are wanted of its %d, %s",
                                rank,
                                member.memoryMiB - member.memoryWanted.memoryMiB(),
                                member.memoryMiB,
                                MemoryDesk.hasAnswered(member)
                                        ? "it needs " + MemoryDesk.neededMiB(member)
                                        : "it has not answered"));
            }
        }
        logged.retainAll(now);
        logged.addAll(now);
        return lines;
    }

    private static boolean keepsMemory(Member member, double nowSeconds) {
        return member.memoryWanted.memoryMiB() > 0
                && member.memoryMiB > member.memoryWanted.memoryMiB()
                && nowSeconds - member.memoryWantedSeconds > MEMORY_SECONDS
                && !(MemoryDesk.hasAnswered(member) && MemoryDesk.neededMiB(member) <= member.memoryWanted.memoryMiB());
    }

    private void say(List<String> lines, Set<String> now, String key, String line) {
        lines.add(line);
        now.add(key);
        if (!logged.contains(key)) {
            LOG.warn("{}; it is measured as it is", line);
        }
    }
}

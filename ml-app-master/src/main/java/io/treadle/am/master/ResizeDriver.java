// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.yarn.RmGateway;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Brings the profiled containers to the vcores that the profiler wants, by YARN's container updates. What the
 * ResourceManager refuses or forgets is asked for again. Containers that began with more than the least keep their
 * surplus except where less is wanted. Guarded by the {@link JobMaster}.
 */
final class ResizeDriver {
    private static final double RETRY_SECONDS = 2.5;

    private final RmGateway rm;
    private final Map<String, Long> original = new HashMap<>();
    private final Map<String, Long> targets = new HashMap<>();
    private final Map<String, Double> askedAt = new HashMap<>();
    private final Map<String, Long> increaseAsked = new HashMap<>();
    private final Set<String> everAsked = new HashSet<>();

    ResizeDriver(RmGateway rm) {
        this.rm = rm;
    }

    /** What an earlier ApplicationMaster found the container to have had; 0 for nothing. */
    void restore(String containerId, long vcores) {
        if (vcores > 0) {
            original.put(containerId, vcores);
        }
    }

    /** What the container had before it was profiled; 0 where it was not. */
    long originalOf(String containerId) {
        return original.getOrDefault(containerId, 0L);
    }

    /** Containers are profiled anew: what they have now is what they go back to. */
    void beginAgain() {
        original.clear();
    }

    /**
     * Asks for what is missing. With no wanted size nothing is asked, and nothing outstanding is left. Returns whether
     * the wanted size is a new one.
     */
    boolean drive(OptionalLong wanted, List<Member> members, double nowSeconds) {
        if (wanted.isEmpty()) {
            members.forEach(this::callOff);
            targets.clear();
            return false;
        }
        Map<String, Long> before = Map.copyOf(targets);
        for (Member member : members) {
            original.putIfAbsent(member.id(), member.vcores);
        }
        long least = members.stream()
                .mapToLong(m -> original.getOrDefault(m.id(), m.vcores))
                .min()
                .orElse(wanted.getAsLong());
        for (Member member : members) {
            drive(member, targetOf(member, wanted.getAsLong(), least), nowSeconds);
        }
        return !before.equals(targets);
    }

    private long targetOf(Member member, long wanted, long least) {
        long own = original.getOrDefault(member.id(), member.vcores);
        return wanted == least ? own : wanted < least ? wanted : Math.max(wanted, own);
    }

    private void drive(Member member, long target, double nowSeconds) {
        Long before = targets.put(member.id(), target);
        if (member.vcores == target) {
            callOff(member);
            return;
        }
        boolean changed = before == null || before != target;
        if (!changed && nowSeconds - askedAt.getOrDefault(member.id(), Double.NEGATIVE_INFINITY) < RETRY_SECONDS) {
            return;
        }
        askedAt.put(member.id(), nowSeconds);
        everAsked.add(member.id() + " " + target);
        if (target > member.vcores) {
            increaseAsked.put(member.id(), target);
        } else {
            increaseAsked.remove(member.id());
        }
        rm.resize(member.id(), member.version, member.vcores, target);
    }

    private void callOff(Member member) {
        Long asked = increaseAsked.remove(member.id());
        if (asked != null && asked > member.vcores) {
            rm.resize(member.id(), member.version, member.vcores, member.vcores);
        }
    }

    /** Whether every worker has seen the size that was last wanted for it. */
    boolean reached(List<Member> members) {
        return members.stream().allMatch(m -> {
            Long target = targets.get(m.id());
            return target != null && m.vcoresSeen == target;
        });
    }

    /** Whether this size was ever asked for here. */
    boolean askedFor(String containerId, long vcores) {
        return everAsked.contains(containerId + " " + vcores);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.protocol.ReportMessage;
import io.treadle.am.protocol.RunnerProtocol;
import io.treadle.am.spec.JobSpec;
import io.treadle.am.web.RunnerCalls.RefusedException;
import io.treadle.am.yarn.GrantedContainer;
import io.treadle.core.wire.GangSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The job's places, task group by task group. A place keeps its rank when its container is replaced. Guarded by the
 * {@link JobMaster}.
 */
final class Gang {
    /** One place. */
    static final class Slot {
        final int group;
        final int index;

        @Nullable
        Member member;
        /** Samples done by the worker of this place as last reported. */
        long samples;

        Slot(int group, int index) {
            this.group = group;
            this.index = index;
        }
    }

    private final List<JobSpec.TaskGroup> groups;
    private final List<Slot> slots = new ArrayList<>();
    /** In the order of the ranks whose samples they count. */
    private List<Slot> byRank = List.of();

    Gang(List<JobSpec.TaskGroup> groups) {
        this.groups = List.copyOf(groups);
        for (int g = 0; g < groups.size(); g++) {
            for (int i = 0; i < groups.get(g).count(); i++) {
                slots.add(new Slot(g, i));
            }
        }
    }

    List<Slot> slots() {
        return slots;
    }

    /** In the order of the ranks whose samples they count. */
    List<Slot> ranked() {
        return byRank.isEmpty() ? slots : byRank;
    }

    /** Place of a rank in the whole gang. */
    int rank(Slot slot) {
        return ranked().indexOf(slot);
    }

    /** Place of a rank in its group. */
    int groupRank(Slot slot) {
        return ranked().stream().filter(s -> s.group == slot.group).toList().indexOf(slot);
    }

    /** What trains in the start, of one group, in the order of ranks. */
    List<Member> startedOf(int group, int epoch) {
        List<Member> started = new ArrayList<>();
        for (Slot slot : ranked()) {
            if (slot.group == group && slot.member != null && slot.member.gangEpoch == epoch) {
                started.add(slot.member);
            }
        }
        return started;
    }

    /** All containers, in the order of their places. */
    List<Member> members() {
        List<Member> members = new ArrayList<>();
        for (Slot slot : slots) {
            if (slot.member != null) {
                members.add(slot.member);
            }
        }
        return members;
    }

    /** Containers of the group, in the order of their ranks. */
    List<Member> membersOf(int group) {
        List<Member> members = new ArrayList<>();
        for (Slot slot : slots) {
            if (slot.group == group && slot.member != null) {
                members.add(slot.member);
            }
        }
        return members;
    }

    Optional<Slot> slotOf(String containerId) {
        return slots.stream()
                .filter(s -> s.member != null && s.member.id().equals(containerId))
                .findFirst();
    }

    Optional<Slot> slotAt(int requestId, int index) {
        return slots.stream()
                .filter(s -> GangSpec.requestIdOf(s.group) == requestId && s.index == index)
                .findFirst();
    }

    /** The first free place of the group that asks with the id. */
    Optional<Slot> freeSlot(int requestId) {
        return slots.stream()
                .filter(s -> s.member == null && GangSpec.requestIdOf(s.group) == requestId)
                .findFirst();
    }

    /** The container's member; a stranger is told to go. */
    Member member(String containerId) throws RefusedException {
        Optional<Member> member = slotOf(containerId).map(s -> s.member);
        if (member.isEmpty()) {
            throw new RefusedException(
                    RunnerProtocol.STATUS_GONE, "container " + containerId + " is none of this job's");
        }
        return member.get();
    }

    /** The container's member, whose runner has registered. */
    Member registered(String containerId) throws RefusedException {
        Member member = member(containerId);
        if (!member.registered) {
            throw new RefusedException(RunnerProtocol.STATUS_REGISTER_FIRST, "register first");
        }
        return member;
    }

    /**
     * Takes the places of an earlier ApplicationMaster over and its containers out of {@code left}. A container whose runner
     * had not said where it listens stays there: it cannot be found, and the runner knows only the address of the
     * ApplicationMaster that is gone. Returns whether one of the current start is not left.
     */
    boolean restore(SavedState saved, Map<String, GrantedContainer> left, double nowSeconds) {
        boolean lost = false;
        List<Slot> ranks = new ArrayList<>();
        for (SavedState.Slot old : saved.slots()) {
            Optional<Slot> slot = slotAt(old.requestId(), old.index());
            slot.ifPresent(place -> place.samples = old.samples());
            slot.filter(place -> !ranks.contains(place)).ifPresent(ranks::add);
            GrantedContainer container = old.runnerPort() > 0 ? left.remove(old.containerId()) : null;
            if (slot.isPresent() && (container != null || old.done())) {
                slot.get().member = restored(saved, old, container, nowSeconds);
            } else {
                lost |= old.member();
            }
        }
        slots.stream().filter(place -> !ranks.contains(place)).forEach(ranks::add);
        byRank = ranks;
        return lost;
    }

    /** @param container null where it has ended, after its worker had done its part */
    private static Member restored(
            SavedState saved, SavedState.Slot old, @Nullable GrantedContainer container, double nowSeconds) {
        Member member = container == null ? Member.ended(old, nowSeconds) : new Member(container, nowSeconds);
        member.runnerHost = old.runnerHost();
        // At the port of one that has ended somebody else may listen.
        member.runnerPort = container == null ? 0 : old.runnerPort();
        member.gangEpoch = old.member() ? saved.epoch() : 0;
        member.joinedAfter = old.joinedAfter();
        member.done = old.done();
        return member;
    }

    /** Every worker is to be started again; returns the groups, one entry each, of containers that have ended before. */
    List<Integer> startOver() {
        List<Integer> missed = new ArrayList<>();
        for (Slot slot : slots) {
            Member member = slot.member;
            if (member != null && member.gone) {
                slot.member = null;
                missed.add(slot.group);
            } else if (member != null) {
                member.startOver();
            }
        }
        return missed;
    }

    /**
     * Another start runs: workers count their samples by rank, which are the places that are taken, in their order. What ranks
     * have done that are none now stays with the free places.
     */
    void countByRank() {
        List<Slot> now =
                new ArrayList<>(slots.stream().filter(s -> s.member != null).toList());
        slots.stream().filter(s -> s.member == null).forEach(now::add);
        List<Slot> before = ranked();
        for (int group = 0; group < groups.size(); group++) {
            int of = group;
            List<Slot> to = now.stream().filter(s -> s.group == of).toList();
            List<Long> samples = before.stream()
                    .filter(s -> s.group == of)
                    .map(s -> s.samples)
                    .toList();
            for (int rank = 0; rank < to.size(); rank++) {
                to.get(rank).samples = samples.get(rank);
            }
        }
        byRank = now;
    }

    /** Samples done by all workers, as last reported. */
    long samples() {
        return slots.stream().mapToLong(s -> s.samples).sum();
    }

    /** Containers that each group lacks, by its index. */
    Map<Integer, Integer> missing() {
        Map<Integer, Integer> missing = new TreeMap<>();
        for (Slot slot : slots) {
            if (slot.member == null) {
                missing.merge(slot.group, 1, Integer::sum);
            }
        }
        return missing;
    }

    /** Whether a worker has done its part: who came now would find nothing to do. */
    boolean isEnding() {
        return members().stream().anyMatch(m -> m.done);
    }

    /** Whether all workers of the start have done their part. */
    boolean isDone(int epoch) {
        return isEnding() && members().stream().allMatch(m -> m.done || m.gangEpoch != epoch);
    }

    boolean complete() {
        return slots.stream().allMatch(s -> s.member != null);
    }

    /**
     * Whether there are members that belong to no start yet, all of their runners have come, and the others have to start
     * again for them.
     */
    boolean isJoined(int epoch) {
        List<Member> joining = new ArrayList<>();
        for (Slot slot : slots) {
            Member member = slot.member;
            if (member != null && !groups.get(slot.group).joins() && member.gangEpoch != epoch && !member.gone) {
                joining.add(member);
            }
        }
        return !joining.isEmpty() && joining.stream().allMatch(m -> m.registered);
    }

    /** Whether every group has at least the containers that must start together. */
    boolean enough() {
        for (int g = 0; g < groups.size(); g++) {
            if (membersOf(g).size() < groups.get(g).min()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether a worker that is still to start can be told where all others are. After a restart of the ApplicationMaster it
     * waits until they have said so again.
     */
    boolean isReachedBy(Member member, int epoch) {
        return member.state != ReportMessage.State.WAITING
                || members().stream()
                        .filter(m -> m.gangEpoch == epoch)
                        .allMatch(m -> m.done || m.gone || m.masterPort > 0);
    }
}

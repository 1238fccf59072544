// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.queues;

import io.treadle.core.explain.Reason;
import io.treadle.core.plan.Decision;
import io.treadle.core.policy.SharedSession;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lets a queue below its guarantee take back what other queues hold beyond theirs: whole jobs, those that started last
 * first, and no more of them than its next job needs. It asks its siblings first, then the queues beside its parent as
 * far as the parent is below its guarantee too, and so on up.
 */
final class Reclaim {
    private final Collection<Leaf> leaves;
    /** In the order of starts. */
    private final Map<String, Held> held;

    Reclaim(Collection<Leaf> leaves, Map<String, Held> held) {
        this.leaves = leaves;
        this.held = held;
    }

    /** The stops, followed by the start that they make room for; nothing where that would not help. */
    List<Decision> decide(Leaf leaf, long nowMs) {
        ResourceVector room = left(leaf.account());
        for (Optional<Account> above = leaf.account().parent();
                above.isPresent() && leaf.waitsFor(room);
                above = above.get().parent()) {
            List<Held> borrowed = borrowed(leaf, above.get());
            if (!borrowed.isEmpty()) {
                List<Decision> decisions = new Claim(leaf, above.get(), room, nowMs).decide(borrowed);
                if (!decisions.isEmpty()) {
                    return decisions;
                }
            }
            room = room.min(left(above.get()));
        }
        return List.of();
    }

    private static ResourceVector left(Account account) {
        return account.guarantee().minus(account.used());
    }

    /** Jobs below {@code top} of whose queues all up to there are above their guarantee, the latest start first. */
    private List<Held> borrowed(Leaf claimant, Account top) {
        if (leaves.stream()
                .noneMatch(leaf -> leaf != claimant
                        && leaf.account().isAboveGuarantee(leaf.account().used()))) {
            return List.of();
        }
        List<Held> latest = new ArrayList<>(held.values());
        Map<Account, ResourceVector> given = new HashMap<>();
        List<Held> borrowed = new ArrayList<>();
        for (int i = latest.size() - 1; i >= 0; i--) {
            Held job = latest.get(i);
            List<Account> path = path(job.leaf().account(), claimant.account(), top);
            boolean isBorrowed = !path.isEmpty()
                    && path.stream()
                            .allMatch(a ->
                                    a.isAboveGuarantee(a.used().minus(given.getOrDefault(a, ResourceVector.ZERO))));
            if (isBorrowed) {
                borrowed.add(job);
                path.forEach(a -> given.merge(a, job.size(), ResourceVector::plus));
            }
        }
        return borrowed;
    }

    /** The queue and those above it up to below the first that it shares with the other; empty if that is above top. */
    private static List<Account> path(Account from, Account other, Account top) {
        List<Account> path = new ArrayList<>();
        Account at = from;
        while (!isAtOrAbove(at, other)) {
            path.add(at);
            at = at.parent().orElseThrow();
        }
        return isAtOrAbove(top, at) ? path : List.of();
    }

    private static boolean isAtOrAbove(Account account, Account below) {
        return account == below
                || below.parent().map(parent -> isAtOrAbove(account, parent)).orElse(false);
    }

    /** One queue's, for one job. */
    private static final class Claim {
        private final SharedSession session;
        private final Account own;
        private final Account top;
        private final ResourceVector room;
        private final long nowMs;
        private final List<Held> stopped = new ArrayList<>();
        private ResourceVector freed = ResourceVector.ZERO;

        /**
         * @param top all that is taken back is below it
         * @param room what the queue may take
         */
        Claim(Leaf leaf, Account top, ResourceVector room, long nowMs) {
            this.session = leaf.session();
            this.own = leaf.account();
            this.top = top;
            this.room = room;
            this.nowMs = nowMs;
        }

        List<Decision> decide(List<Held> borrowed) {
            borrowed.forEach(this::stop);
            Optional<String> next = starts(session.decideFirst(nowMs)).map(Decision::jobId);
            next.ifPresent(session::withdraw);
            List.copyOf(stopped).forEach(this::spare);
            List<Decision> decisions = next.map(job -> decide(job, borrowed)).orElse(List.of());
            // The others are told what is stopped with all the rest.
            List.copyOf(stopped).forEach(this::spare);
            session.limit(own.limit());
            return decisions;
        }

        private List<Decision> decide(String jobId, List<Held> borrowed) {
            List<Decision> found = List.of();
            for (Held latest : borrowed) {
                stop(latest);
                found = session.decideOnly(jobId, nowMs);
                if (starts(found).isPresent()) {
                    break;
                }
            }
            // Some of them held nothing that helps; of these the jobs that have run longest are spared first.
            for (int i = stopped.size() - 1; i >= 0; i--) {
                Held job = stopped.get(i);
                session.withdraw(jobId);
                spare(job);
                List<Decision> without = session.decideOnly(jobId, nowMs);
                if (starts(without).isPresent()) {
                    found = without;
                } else {
                    stop(i, job);
                    found = session.decideOnly(jobId, nowMs);
                }
            }
            List<Decision> decisions = new ArrayList<>();
            for (Held job : stopped) {
                decisions.add(new Decision.Stop(
                        job.jobId(), new Reason.TakenBack(own.queue().path())));
            }
            decisions.addAll(found);
            return decisions;
        }

        private static Optional<Decision> starts(List<Decision> decisions) {
            return decisions.stream().filter(Decision.Run.class::isInstance).findFirst();
        }

        private void stop(Held job) {
            stop(stopped.size(), job);
        }

        private void stop(int at, Held job) {
            stopped.add(at, job);
            freed = freed.plus(job.size());
            session.othersGaveBack(job.view());
            limit();
        }

        private void spare(Held job) {
            stopped.remove(job);
            freed = freed.minus(job.size());
            session.othersTook(job.view());
            limit();
        }

        /** As far as guarantees go, and no further than the maxima of the queues above with what is freed. */
        private void limit() {
            ResourceVector more = room;
            for (Optional<Account> at = Optional.of(top);
                    at.isPresent();
                    at = at.get().parent()) {
                more = more.min(at.get().most().minus(at.get().used()).plus(freed));
            }
            session.limit(own.used().plus(more.max(ResourceVector.ZERO)));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.queues;

import io.treadle.core.cluster.PowerView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.job.JobView;
import io.treadle.core.plan.Decision;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.Session;
import io.treadle.simulator.cluster.SharedQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The queues of one partition, served as YARN's CapacityScheduler serves its leaf queues: the queue that uses least of
 * its guarantee starts its next job, then it is asked anew who is next. A queue may hold more than its guarantee as long
 * as others leave it free, up to its maximum. It decides one start at a time and wants to be asked again until there is
 * none left. A queue whose policy chooses for all its jobs at once, as {@code powerflow} does, carries out a whole plan when
 * it is its turn, and is asked again where others have changed something.
 */
public final class SharedQueues implements Session {
    /** Plans of one queue at one moment: after the first, others may have given something back. */
    private static final int MOST_PLANS = 2;

    private final Account root;
    private final boolean inShares;
    private final Optional<Reclaim> reclaim;
    private final Function<String, String> queueOf;
    private final Map<Account, Leaf> leaves = new LinkedHashMap<>();
    /** By queue of the trace. */
    private final Map<String, Leaf> takers = new HashMap<>();

    private final Map<String, Leaf> leafOf = new HashMap<>();
    /** In the order of starts. */
    private final Map<String, Held> held = new LinkedHashMap<>();
    /** Queues that have been asked and start nothing for now. */
    private final Set<Leaf> done = new HashSet<>();

    /** Queues that were not asked yet which jobs move, since a job has gone. */
    private final Set<Leaf> unmoved = new HashSet<>();
    /** Queues whose jobs may hold beyond their shares what those of others wait for since now. */
    private final Set<Leaf> unsettled = new HashSet<>();

    private final QueuePower queuePower;
    private Optional<PowerView> power = Optional.empty();
    /** Plans of queues at this moment. */
    private final Map<Leaf, Integer> plans = new HashMap<>();

    private long nowMs = Long.MIN_VALUE;
    private long wakesMs = NEVER;

    /**
     * @param cluster the nodes, with no jobs
     * @param root has all queues below it
     * @param policies the policy of each queue that takes jobs
     * @param queueOf the trace's queue of a job, by its id
     * @param reclaims whether a queue below its guarantee takes back what others hold beyond theirs
     * @param queuePower what the jobs of queues may draw
     */
    public SharedQueues(
            Snapshot cluster,
            SharedQueue root,
            Function<SharedQueue, Policy> policies,
            Function<String, String> queueOf,
            boolean reclaims,
            QueuePower queuePower) {
        this.queuePower = queuePower;
        this.root = new Account(root, Optional.empty(), cluster.capacity());
        this.inShares = !cluster.isWithoutShares();
        this.queueOf = queueOf;
        this.root.inOrder(account -> {
            Policy policy = policies.apply(account.queue());
            Leaf leaf = new Leaf(account, policy.openShared(cluster), policy.stopsJobs());
            leaf.session().limit(account.limit());
            leaves.put(account, leaf);
            account.queue().takes().forEach(name -> takers.put(name, leaf));
        });
        this.reclaim = reclaims ? Optional.of(new Reclaim(leaves.values(), held)) : Optional.empty();
    }

    @Override
    public void waits(JobView job) {
        Leaf leaf = leafOf.computeIfAbsent(job.id(), id -> taker(queueOf.apply(id)));
        leaf.waits(job.atMinima());
        leaf.session().waits(leaf.told(job));
        done.remove(leaf);
    }

    private Leaf taker(String queue) {
        return Objects.requireNonNull(takers.getOrDefault(queue, takers.get(SharedQueue.ALL_OTHERS)));
    }

    @Override
    public void runs(JobView job) {
        Leaf leaf = Objects.requireNonNull(leafOf.get(job.id()));
        leaf.waitsNoLonger(job.id());
        leaf.session().runs(leaf.told(job));
        Held now = new Held(leaf, job.atMinima());
        Held before = held.put(job.id(), now);
        if (before != null) {
            othersGetBack(before);
            leaf.account().charge(before.size().times(-1));
        }
        leaf.account().charge(now.size());
        for (Leaf other : leaves.values()) {
            if (other != leaf) {
                other.session().othersTook(now.view());
            }
        }
        limit();
    }

    @Override
    public void ended(String jobId) {
        Leaf leaf = Objects.requireNonNull(leafOf.remove(jobId));
        leaf.waitsNoLonger(jobId);
        release(leaf, jobId);
        unmoved.addAll(leaves.values());
    }

    /** Takes from a job what it holds, if anything. */
    private void release(Leaf leaf, String jobId) {
        leaf.session().ended(jobId);
        giveBack(leaf, jobId);
    }

    private void giveBack(Leaf leaf, String jobId) {
        Held before = held.remove(jobId);
        if (before != null) {
            othersGetBack(before);
            leaf.account().charge(before.size().times(-1));
            limit();
            done.clear();
        }
    }

    private void othersGetBack(Held before) {
        for (Leaf other : leaves.values()) {
            if (other != before.leaf()) {
                other.session().othersGaveBack(before.view());
            }
        }
    }

    private void limit() {
        leaves.values().forEach(leaf -> leaf.session().limit(leaf.account().limit()));
    }

    @Override
    public void nodeOpens(String nodeId, boolean isOpen) {
        leaves.values().forEach(leaf -> leaf.session().nodeOpens(nodeId, isOpen));
        done.clear();
    }

    @Override
    public void power(PowerView all) {
        power = Optional.of(all);
    }

    @Override
    public List<Decision> decide(long moment) {
        if (moment != nowMs) {
            nowMs = moment;
            done.clear();
            plans.clear();
        }
        List<Leaf> ordered = new ArrayList<>(leaves.size());
        root.inOrder(account -> ordered.add(Objects.requireNonNull(leaves.get(account))));
        if (inShares) {
            long waiting = ordered.stream().filter(Leaf::hasWaiting).count();
            ordered.stream()
                    .filter(leaf -> leaf.othersWait(waiting > (leaf.hasWaiting() ? 1 : 0)))
                    .forEach(unsettled::add);
        }
        List<Decision> decisions = settle(ordered);
        if (decisions.isEmpty()) {
            decisions = next(ordered);
        }
        wakesMs = decisions.isEmpty() ? nextPlanMs() : moment;
        return decisions;
    }

    private long nextPlanMs() {
        return leaves.values().stream()
                .filter(Leaf::plansAll)
                .mapToLong(leaf -> leaf.session().wakesMs())
                .min()
                .orElse(NEVER);
    }

    /** One queue at a time: where its jobs went, those of the next cannot go. */
    private List<Decision> settle(List<Leaf> ordered) {
        for (Leaf leaf : ordered) {
            boolean mayMove = unmoved.remove(leaf);
            if ((unsettled.remove(leaf) || mayMove) && !leaf.plansAll()) {
                List<Decision> changes = leaf.session().settle(nowMs, mayMove);
                if (!changes.isEmpty()) {
                    return changes;
                }
            }
        }
        return List.of();
    }

    /** What a queue takes back comes before what queues after it could borrow. */
    private List<Decision> next(List<Leaf> ordered) {
        for (Leaf leaf : ordered) {
            if (leaf.plansAll()) {
                List<Decision> decisions = done.add(leaf) ? plan(leaf) : List.of();
                if (!decisions.isEmpty()) {
                    return decisions;
                }
            } else if (!done.contains(leaf) && (inShares || leaf.hasWaiting())) {
                List<Decision> decisions = leaf.session().decideFirst(nowMs);
                if (!starts(decisions) && reclaim.isPresent()) {
                    List<Decision> claimed = reclaim.get().decide(leaf, nowMs);
                    if (!claimed.isEmpty()) {
                        claimed.stream().filter(Decision.Stop.class::isInstance).forEach(this::release);
                        return claimed;
                    }
                }
                if (!starts(decisions)) {
                    done.add(leaf);
                }
                if (!decisions.isEmpty()) {
                    return decisions;
                }
            }
        }
        return List.of();
    }

    /** A whole plan of a queue; others are asked again for what it gives back. */
    private List<Decision> plan(Leaf leaf) {
        if (plans.merge(leaf, 1, Integer::sum) > MOST_PLANS) {
            return List.of();
        }
        power.ifPresent(all -> leaf.session().power(queuePower.of(leaf, leaves.values(), held.values(), all)));
        List<Decision> decisions = leaf.session().decide(nowMs);
        // Its session goes on knowing what it stops, in the order of submission.
        decisions.stream().filter(Decision.Stop.class::isInstance).forEach(stop -> giveBack(leaf, stop.jobId()));
        if (!decisions.isEmpty()) {
            done.clear();
            done.add(leaf);
        }
        return decisions;
    }

    private static boolean starts(List<Decision> decisions) {
        return decisions.stream().anyMatch(Decision.Run.class::isInstance);
    }

    private void release(Decision stop) {
        release(Objects.requireNonNull(leafOf.get(stop.jobId())), stop.jobId());
    }

    /** At once, where another queue may have a start too. */
    @Override
    public long wakesMs() {
        return wakesMs;
    }
}

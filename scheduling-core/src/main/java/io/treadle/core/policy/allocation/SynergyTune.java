// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.placement.Ledger;
import io.treadle.core.placement.TaskSizer;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Synergy-TUNE as its artifact codes it ({@code cluster._tune}): a job gets its best-case demand where that fits, else
 * its GPU-proportional share; where even that does not fit, jobs on the same nodes that hold more than their share fall
 * back to it. No job runs slower than at its share, and every job that would run at shares runs.
 */
public final class SynergyTune implements Allocation {
    @Override
    public String name() {
        return "synergy-tune";
    }

    @Override
    public void serve(Round round, Iterable<JobView> ordered, boolean strict) {
        Sizes sizes = round.sizes();
        for (JobView job : ordered) {
            // Without the GPUs nothing that peers give up would help.
            boolean granted = round.isDecided(job)
                    || (round.hasGpusFor(job) && (tryDemandThenShare(round, job) || tryAfterReclaim(round, job)));
            if (!granted) {
                round.grantInPlace(job, fallback(sizes, job));
                if (strict) {
                    return;
                }
            }
        }
        ElasticStart.grow(
                round,
                ordered,
                grant -> grant.level() == Grant.Level.DEMAND
                        ? (group, node) -> sizes.demand(grant.job(), group, node)
                        : fallback(sizes, grant.job()));
    }

    private static boolean tryAfterReclaim(Round round, JobView job) {
        reclaim(round, job);
        return round.tryGrant(job, fallback(round.sizes(), job), Grant.Level.SHARE) || AskStart.tryStart(round, job);
    }

    private static boolean tryDemandThenShare(Round round, JobView job) {
        // Where the demand does not fit, all dimensions are switched, also those in which it was below the share. A
        // running job need not fall that far: its nodes are known, and what they have room for beyond the share is its.
        return round.tryDemand(job)
                || new Between(round).tryGrow(job)
                || round.tryGrant(job, fallback(round.sizes(), job), Grant.Level.SHARE);
    }

    /** Pushes peers on the nodes that the job needs down to their share. */
    private static void reclaim(Round round, JobView job) {
        Map<Integer, ResourceVector> targets = targets(round, job);
        for (Map.Entry<Integer, ResourceVector> target : targets.entrySet()) {
            int node = target.getKey();
            ResourceVector room =
                    round.ledger().free(node).minus(round.ledger().node(node).keptFree());
            ResourceVector need = target.getValue().minus(room).max(ResourceVector.ZERO);
            if (need.isZero()) {
                continue;
            }
            List<Grant> victims = new ArrayList<>();
            for (Grant peer : peers(round, node)) {
                if (need.isZero()) {
                    break;
                }
                need = need.minus(excess(round, peer, node)).max(ResourceVector.ZERO);
                victims.add(peer);
            }
            victims.forEach(victim -> downgrade(round, victim));
        }
        reclaimShared(round, targets.values());
    }

    /**
     * Where what tasks together may read is short, pushes those that read most beyond their share down to it, on any
     * node.
     */
    private static void reclaimShared(Round round, Collection<ResourceVector> targets) {
        long wanted = targets.stream().mapToLong(ResourceVector::storageMBps).sum();
        Ledger ledger = round.ledger();
        if (!ledger.sharesStorage()) {
            return;
        }
        for (Grant peer : sizedPeers(round)
                .filter(g ->
                        g.held().storageMBps() > shares(round, g, n -> true).storageMBps())
                .sorted(Comparator.comparingDouble(
                                (Grant g) -> perGpu(g, g.held().storageMBps()))
                        .reversed())
                .toList()) {
            if (ledger.queueFree().storageMBps() < wanted) {
                downgrade(round, peer);
            }
        }
    }

    /** By node index, what the tasks that are to start would hold there, chosen by GPUs alone. */
    private static Map<Integer, ResourceVector> targets(Round round, JobView job) {
        Ledger ledger = round.ledger();
        Map<Integer, ResourceVector> targets = new LinkedHashMap<>();
        for (TaskGroup group : job.groups()) {
            int missing = job.missing(group);
            long gpus = group.ask().gpus();
            if (missing == 0 || gpus == 0) {
                continue;
            }
            List<Integer> candidates = open(ledger, job);
            int whole = candidates.stream()
                    .filter(n -> missing > 1 && ledger.freeGpus(n, group) >= missing * gpus)
                    .findFirst()
                    .orElse(-1);
            if (whole >= 0) {
                add(targets, round, job, group, whole, missing);
                continue;
            }
            int left = missing;
            for (int node : candidates.stream()
                    .filter(n -> ledger.freeGpus(n, group) >= gpus)
                    .sorted(Comparator.comparingLong((Integer n) -> ledger.freeGpus(n, group)))
                    .toList()) {
                int here = (int) Math.min(left, ledger.freeGpus(node, group) / gpus);
                add(targets, round, job, group, node, here);
                left -= here;
                if (left == 0) {
                    break;
                }
            }
        }
        return targets;
    }

    private static void add(
            Map<Integer, ResourceVector> targets, Round round, JobView job, TaskGroup group, int node, int tasks) {
        ResourceVector size = round.sizes().fallback(job, group, round.ledger().node(node));
        targets.merge(node, size.times(tasks), ResourceVector::plus);
    }

    private static TaskSizer fallback(Sizes sizes, JobView job) {
        return (group, node) -> sizes.fallback(job, group, node);
    }

    private static List<Integer> open(Ledger ledger, JobView job) {
        return IntStream.range(0, ledger.nodes().size())
                .filter(n -> ledger.node(n).open()
                        && !job.avoidedNodes().contains(ledger.node(n).id()))
                .boxed()
                .toList();
    }

    /** Jobs served already that hold something on the node: those on fewest nodes first, then by CPU and memory per GPU. */
    private static List<Grant> peers(Round round, int node) {
        return sizedPeers(round)
                .filter(g -> g.isOn(node))
                .sorted(Comparator.comparingLong(Grant::nodes)
                        .thenComparing(Comparator.comparingDouble(
                                        (Grant g) -> perGpu(g, g.held().vcores()))
                                .reversed())
                        .thenComparing(Comparator.comparingDouble(
                                        (Grant g) -> perGpu(g, g.held().memoryMiB()))
                                .reversed()))
                .toList();
    }

    /** Jobs served already whose sizes may change. */
    private static Stream<Grant> sizedPeers(Round round) {
        return StreamSupport.stream(round.grants().spliterator(), false)
                .filter(g -> g.level() != Grant.Level.PROFILING && g.level() != Grant.Level.ASK);
    }

    private static double perGpu(Grant grant, long amount) {
        return (double) amount / Math.max(1, grant.held().gpus());
    }

    private static ResourceVector excess(Round round, Grant peer, int node) {
        return peer.heldOn(node).minus(shares(round, peer, n -> n == node)).max(ResourceVector.ZERO);
    }

    /** Of its tasks on these nodes. */
    private static ResourceVector shares(Round round, Grant peer, IntPredicate nodes) {
        return peer.tasks().stream()
                .filter(t -> nodes.test(t.node()))
                .map(t -> round.sizes()
                        .share(peer.job(), t.group(), round.ledger().node(t.node())))
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
    }

    private static void downgrade(Round round, Grant victim) {
        round.shrink(victim, fallback(round.sizes(), victim.job()), Grant.Level.SHARE);
    }
}

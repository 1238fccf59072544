// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.explain.Reason;
import io.treadle.core.job.JobView;
import io.treadle.core.placement.Ledger;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.plan.Throughput;
import io.treadle.core.policy.LeftAlone;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Says what a round has granted as decisions with their reasons. */
final class Decisions {
    private final Snapshot snapshot;
    private final Ledger ledger;
    private final Sizes sizes;

    Decisions(Snapshot snapshot, Ledger ledger, Sizes sizes) {
        this.snapshot = snapshot;
        this.ledger = ledger;
        this.sizes = sizes;
    }

    /** Of jobs that start. */
    List<Decision.Run> starting(List<Grant> grants) {
        List<Decision.Run> decisions = new ArrayList<>(grants.size());
        for (Grant grant : grants) {
            decisions.add(new Decision.Run(grant.job().id(), starting(grant), Map.of(), starts(grant)));
        }
        return decisions;
    }

    List<Decision> changes(Collection<Grant> grants) {
        List<Decision> changes = new ArrayList<>();
        for (Grant grant : grants) {
            List<TaskPlacement> starting = starting(grant);
            // One that is being measured is sized by its ApplicationMaster, whatever is kept for it.
            Map<String, ResourceVector> resized = grant.level() == Grant.Level.PROFILING ? Map.of() : resized(grant);
            if (!starting.isEmpty()) {
                changes.add(new Decision.Run(grant.job().id(), starting, resized, starts(grant)));
            } else if (!resized.isEmpty()) {
                Reason reason = new Reason.AtShare(size(grant).describe(), "");
                changes.add(new Decision.Resize(grant.job().id(), resized, reason));
            }
        }
        return changes;
    }

    /** New sizes of tasks that run already and change. */
    private static Map<String, ResourceVector> resized(Grant grant) {
        Map<String, ResourceVector> before = new HashMap<>();
        grant.job().tasks().forEach(task -> before.put(task.id(), task.size()));
        Map<String, ResourceVector> resized = new LinkedHashMap<>();
        for (Grant.Task task : grant.tasks()) {
            task.runningId()
                    .filter(id -> !task.size().equals(before.get(id)))
                    .ifPresent(id -> resized.put(id, task.size()));
        }
        return resized;
    }

    Plan plan(List<JobView> ordered, Map<String, Grant> grants, Optional<Throughput> throughput) {
        WaitReasons waitReasons = new WaitReasons(snapshot, ledger, sizes);
        Outbid outbid = new Outbid(ledger, sizes, grants.values());
        List<Decision> decisions = new ArrayList<>();
        for (JobView job : ordered) {
            Grant grant = grants.get(job.id());
            if (grant != null) {
                decisions.add(decision(grant, waitReasons, outbid));
            } else {
                decisions.add(new Decision.Wait(job.id(), waitReasons.of(job)));
            }
        }
        return new Plan(decisions, throughput);
    }

    private Decision decision(Grant grant, WaitReasons waitReasons, Outbid outbid) {
        if (grant.tasks().isEmpty()) {
            // All its tasks run on nodes that the snapshot does not have.
            return new Decision.Resize(grant.job().id(), Map.of(), LeftAlone.why(grant.job()));
        }
        String size = size(grant).describe();
        List<TaskPlacement> starting = starting(grant);
        String jobId = grant.job().id();
        if (grant.level() == Grant.Level.PROFILING) {
            return new Decision.Resize(jobId, Map.of(), new Reason.Profiling(size));
        }
        Map<String, ResourceVector> resized = new LinkedHashMap<>();
        grant.tasks().forEach(t -> t.runningId().ifPresent(id -> resized.put(id, t.size())));
        if (!starting.isEmpty()) {
            return new Decision.Run(jobId, starting, resized, starts(grant));
        }
        if (!Round.missing(grant.job()).isEmpty()) {
            return new Decision.Resize(jobId, resized, waitReasons.of(grant.job()));
        }
        if (grant.job().profile().isEmpty()) {
            return new Decision.Resize(jobId, resized, new Reason.AtShare(size, "its speed is not known yet"));
        }
        Reason reason =
                switch (grant.level()) {
                    case DEMAND -> new Reason.AtDemand(size, outbid.costs(grant));
                    case BETWEEN -> new Reason.BelowDemand(size(grant), useful(grant), outbid.by(grant));
                    case SHARE ->
                        hasLessThanShare(grant)
                                ? new Reason.AtDemand(size, "")
                                : new Reason.AtShare(size, useful(grant).fitsIn(size(grant)) ? "" : outbid.by(grant));
                    default -> new Reason.AtShare(size, useful(grant).fitsIn(size(grant)) ? "" : outbid.by(grant));
                };
        return new Decision.Resize(jobId, resized, reason);
    }

    private static ResourceVector size(Grant grant) {
        return grant.tasks().isEmpty()
                ? ResourceVector.ZERO
                : grant.tasks().get(0).size();
    }

    private List<TaskPlacement> starting(Grant grant) {
        List<TaskPlacement> starting = new ArrayList<>(grant.tasks().size());
        for (Grant.Task task : grant.tasks()) {
            if (task.runningId().isEmpty()) {
                starting.add(new TaskPlacement(
                        task.group().name(), ledger.node(task.node()).id(), task.size(), task.devices()));
            }
        }
        return starting;
    }

    private static Reason starts(Grant grant) {
        return new Reason.Starts(grant.tasks().size(), size(grant));
    }

    /** A job that makes nothing of the rest of its share leaves it to others. */
    private boolean hasLessThanShare(Grant grant) {
        Grant.Task first = grant.tasks().get(0);
        ResourceVector share = sizes.share(grant.job(), first.group(), ledger.node(first.node()));
        return !share.fitsIn(first.size()) && useful(grant).fitsIn(first.size());
    }

    private ResourceVector useful(Grant grant) {
        Grant.Task first = grant.tasks().get(0);
        return sizes.demandSpread(grant.job(), first.group(), ledger.node(first.node()));
    }
}

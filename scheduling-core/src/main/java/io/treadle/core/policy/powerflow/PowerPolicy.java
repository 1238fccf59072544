// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.Snapshot;
import io.treadle.core.explain.Reason;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.placement.Placement;
import io.treadle.core.placement.WholeBlocks;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.policy.LeftAlone;
import io.treadle.core.policy.Policy;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A choice of GPUs and caps, carried out: jobs start, get other GPUs or other caps, and make way. */
public final class PowerPolicy implements Policy {
    /** Between two decisions at most; what jobs are worth changes as they go on. */
    private static final long INTERVAL_MS = 60_000;

    private final String name;
    private final Chooser chooser;
    private final Placement placement;

    /** @param placement where jobs go; {@code auto} for whole blocks of GPUs */
    PowerPolicy(String name, Chooser chooser, Placement placement) {
        this.name = name;
        this.chooser = chooser;
        this.placement = placement.name().equals("auto") ? new WholeBlocks() : placement;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean choosesGpus() {
        return chooser.scales();
    }

    @Override
    public boolean stopsJobs() {
        return true;
    }

    @Override
    public long intervalMs() {
        return INTERVAL_MS;
    }

    @Override
    public Plan plan(Snapshot snapshot) {
        Situation situation = Situation.of(snapshot);
        List<Choice> choices = chooser.choose(situation);
        Map<String, Arrangement.Place> places = new Arrangement(snapshot, situation.pinned(), placement).of(choices);
        Map<String, NodeView> nodes = new HashMap<>();
        snapshot.nodes().forEach(node -> nodes.put(node.id(), node));
        Explained explained = new Explained(situation, places.values());
        List<Decision> decisions = new ArrayList<>();
        Set<String> chosen = new HashSet<>();
        for (Choice choice : choices) {
            Arrangement.Place place = places.get(choice.job().id());
            if (place != null) {
                chosen.add(choice.job().id());
                decisions.add(decision(place, nodes, explained.of(place)));
            }
        }
        for (Candidate job : situation.jobs()) {
            if (!chosen.contains(job.id())) {
                Reason reason = explained.waits(job);
                // What makes way goes first.
                decisions.add(
                        job.running() ? 0 : decisions.size(),
                        job.running() ? new Decision.Stop(job.id(), reason) : new Decision.Wait(job.id(), reason));
            }
        }
        snapshot.jobs().stream()
                .filter(situation.pinned()::holds)
                .forEach(job -> decisions.add(new Decision.Resize(job.id(), Map.of(), LeftAlone.why(job))));
        return new Plan(decisions);
    }

    private static Decision decision(Arrangement.Place place, Map<String, NodeView> nodes, Reason reason) {
        JobView job = place.choice().job().job();
        if (!place.stays()) {
            return job.running()
                    ? new Decision.Move(job.id(), place.tasks(), reason)
                    : new Decision.Run(job.id(), place.tasks(), Map.of(), reason);
        }
        Map<String, ResourceVector> sizes = new HashMap<>();
        for (RunningTask task : job.tasks()) {
            NodeView node = nodes.get(task.nodeId());
            if (node != null) {
                sizes.put(task.id(), Arrangement.size(place.choice(), task, node));
            }
        }
        return new Decision.Resize(job.id(), sizes, reason);
    }
}

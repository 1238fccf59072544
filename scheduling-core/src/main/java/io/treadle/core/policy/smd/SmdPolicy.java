// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.cluster.Snapshot;
import io.treadle.core.explain.Reason;
import io.treadle.core.job.JobView;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.placement.EvenSpread;
import io.treadle.core.placement.Placement;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.Plan;
import io.treadle.core.policy.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who is admitted with how many workers and servers, carried out: jobs start, grow, shrink and make way. */
final class SmdPolicy implements Policy {
    private final String name;
    private final Chooser chooser;
    private final Placement placement;
    private final long intervalMs;

    /** @param placement where jobs go; {@code auto} for few nodes with as many tasks each */
    SmdPolicy(String name, Chooser chooser, Placement placement, long intervalMs) {
        this.name = name;
        this.chooser = chooser;
        this.placement = placement.name().equals("auto") ? new EvenSpread() : placement;
        this.intervalMs = intervalMs;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean choosesGpus() {
        return true;
    }

    @Override
    public boolean stopsJobs() {
        return true;
    }

    @Override
    public long intervalMs() {
        return intervalMs;
    }

    @Override
    public Plan plan(Snapshot snapshot) {
        Pool pool = Pool.of(snapshot);
        Admission admission = chooser.choose(pool);
        Places places = new Places(snapshot, placement);
        snapshot.jobs().stream().filter(job -> pool.pinned().contains(job.id())).forEach(places::pin);
        place(admission, places);
        if (chooser.fillsUp()) {
            new FillUp(pool, places, pool.capacity()).fill(admission.late());
        }
        Explained explained = new Explained(pool, admission, places);
        List<Decision> decisions = new ArrayList<>();
        for (PsJob job : pool.jobs()) {
            Places.Place place = places.all().get(job.id());
            if (place != null) {
                decisions.add(decision(place, explained.has(place)));
            } else if (job.job().running()) {
                // What makes way goes first.
                decisions.add(0, new Decision.Stop(job.id(), explained.waits(job)));
            } else {
                decisions.add(new Decision.Wait(job.id(), explained.waits(job)));
            }
        }
        for (JobView job : snapshot.jobs()) {
            if (pool.pinned().contains(job.id())) {
                String size = job.tasks().get(0).size().describe();
                decisions.add(new Decision.Resize(job.id(), Map.of(), new Reason.Profiling(size)));
            }
        }
        return new Plan(decisions, Optional.empty(), admission.certificate());
    }

    /** What goes on as it is keeps its place; then each finds one in the order of the admission. */
    private static void place(Admission admission, Places places) {
        Map<String, PsSize> kept = new HashMap<>();
        for (Sized one : admission.jobs()) {
            if (one.job().runs()) {
                kept.put(one.job().id(), places.keep(one.job(), one.size()));
            }
        }
        for (Sized one : admission.jobs()) {
            PsSize from = kept.getOrDefault(one.job().id(), one.job().least());
            boolean isPlaced = false;
            for (PsSize size : towards(from, one.size())) {
                isPlaced =
                        isPlaced || (one.job().runs() ? places.grow(one.job(), size) : places.start(one.job(), size));
            }
        }
    }

    /** From a size to one that is no smaller, the larger first: what is too large for the nodes' rest gives way evenly. */
    private static List<PsSize> towards(PsSize from, PsSize to) {
        List<PsSize> sizes = new ArrayList<>();
        int steps = Math.max(to.workers() - from.workers(), to.servers() - from.servers());
        for (int i = steps; i >= 0; i--) {
            double part = steps == 0 ? 0 : (double) i / steps;
            sizes.add(new PsSize((int) Math.round(from.workers() + part * (to.workers() - from.workers())), (int)
                    Math.round(from.servers() + part * (to.servers() - from.servers()))));
        }
        return sizes;
    }

    private static Decision decision(Places.Place place, Reason reason) {
        JobView job = place.job().job();
        if (place.isUnchanged()) {
            return new Decision.Resize(job.id(), Map.of(), reason);
        }
        return job.running()
                ? new Decision.Move(job.id(), place.tasks(), reason)
                : new Decision.Run(job.id(), place.tasks(), Map.of(), reason);
    }
}

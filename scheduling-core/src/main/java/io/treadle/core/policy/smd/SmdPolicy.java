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
import io.treadle.core.policy.LeftAlone;
import io.treadle.core.policy.Policy;
import java.util.ArrayList;
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
    public Plan plan(Snapshot seen) {
        Snapshot snapshot = SpareVcores.without(seen);
        Pool pool = Pool.of(snapshot);
        Admission admission = chooser.choose(pool);
        Places places = new Places(snapshot, placement);
        snapshot.jobs().stream().filter(job -> pool.pinned().contains(job.id())).forEach(places::pin);
        place(admission, places);
        FillUp fillUp = new FillUp(pool, places, pool.capacity());
        if (chooser.fillsUp()) {
            fillUp.start(admission.late());
        }
        probe(pool, places);
        if (chooser.fillsUp()) {
            fillUp.grow();
        }
        SpareVcores spare = new SpareVcores(seen, places);
        if (nobodyWaits(snapshot, pool, places)) {
            spare.giveOut(pool.jobs());
        }
        Explained explained =
                new Explained(pool, admission, places, chooser.fillsUp() ? Optional.of(fillUp) : Optional.empty());
        List<Decision> decisions = new ArrayList<>();
        for (PsJob job : pool.jobs()) {
            Places.Place place = places.all().get(job.id());
            if (place != null) {
                decisions.add(decision(place, spare, explained.has(place)));
            } else if (job.job().running()) {
                // What makes way goes first.
                decisions.add(0, new Decision.Stop(job.id(), explained.waits(job)));
            } else {
                decisions.add(new Decision.Wait(job.id(), explained.waits(job)));
            }
        }
        for (JobView job : snapshot.jobs()) {
            if (pool.pinned().contains(job.id())) {
                decisions.add(new Decision.Resize(job.id(), spare.changes(job), LeftAlone.why(job)));
            }
        }
        return new Plan(decisions, Optional.empty(), admission.certificate());
    }

    /**
     * The late job first, which has waited longest; then who runs keeps the tasks that its new size has; then each finds the
     * rest in the order of the admission.
     */
    private static void place(Admission admission, Places places) {
        boolean makesWay = admission
                .late()
                .filter(late -> !late.runs() && places.start(late, late.least()))
                .isPresent();
        admission.late().filter(PsJob::runs).ifPresent(late -> places.keep(late, late.least()));
        List<Sized> toPlace = new ArrayList<>();
        for (Sized one : admission.jobs()) {
            if (one.job().runs() && places.keep(one.job(), one.size()).isEmpty() && !makesWay) {
                // Others have taken its room, by no decision of ours.
                places.leave(one.job());
            } else {
                toPlace.add(one);
            }
        }
        for (Sized one : toPlace) {
            if (!places.has(one.job())) {
                places.start(one.job(), one.size());
            }
            grow(one, places);
        }
    }

    /** Whoever is to be measured at another size gets it in room that nobody has. */
    private static void probe(Pool pool, Places places) {
        for (PsJob job : pool.jobs()) {
            if (job.isMeasuredNext(pool.rescaleSeconds())) {
                job.probe().ifPresent(size -> places.change(job, size));
            }
        }
    }

    /** As near to its size as the nodes' rest allows: both numbers give way alike. */
    private static void grow(Sized one, Places places) {
        PsSize to = one.size();
        PsSize from = one.job().least();
        if (places.has(one.job())) {
            from = places.size(one.job());
        } else if (!places.start(one.job(), from)) {
            return;
        }
        int steps = Math.max(to.workers() - from.workers(), to.servers() - from.servers());
        int good = 0;
        int bad = steps + 1;
        for (int step = steps; good < step; step = (good + bad) / 2) {
            if (places.grow(one.job(), between(from, to, (double) step / steps))) {
                good = step;
            } else {
                bad = step;
            }
        }
    }

    private static PsSize between(PsSize from, PsSize to, double part) {
        return new PsSize((int) Math.round(from.workers() + part * (to.workers() - from.workers())), (int)
                Math.round(from.servers() + part * (to.servers() - from.servers())));
    }

    /** Of those that could run; and no job of another queue. */
    private static boolean nobodyWaits(Snapshot snapshot, Pool pool, Places places) {
        return !snapshot.queue().othersWait()
                && pool.jobs().stream().allMatch(job -> places.has(job) || !pool.mayRun(job));
    }

    private static Decision decision(Places.Place place, SpareVcores spare, Reason reason) {
        JobView job = place.job().job();
        if (place.isUnchanged()) {
            long more = spare.given(job);
            return new Decision.Resize(
                    job.id(), spare.changes(job), more > 0 ? new Reason.ServersRaised(reason, more) : reason);
        }
        return job.running()
                ? new Decision.Move(job.id(), place.tasks(), reason)
                : new Decision.Run(job.id(), place.tasks(), Map.of(), reason);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.explain.Reason;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Why jobs have the sizes that they have, or wait, with numbers. */
final class Explained {
    private final Pool pool;
    /** What gives away what is left; empty where nothing does. */
    private final Optional<FillUp> fillUp;

    private final Map<String, Sized> admitted = new HashMap<>();
    private final Map<String, Sized> considered = new HashMap<>();
    /** Whether the rule looks at what ends are worth. */
    private final boolean values;

    private final List<Places.Place> byEnd;
    private final List<Sized> byDensity;
    private final ResourceVector free;
    /** What jobs need that wait longer than the one that is looked at. */
    private ResourceVector ahead = ResourceVector.ZERO;

    Explained(Pool pool, Admission admission, Places places, Optional<FillUp> fillUp) {
        this.pool = pool;
        this.fillUp = fillUp;
        admission.jobs().forEach(one -> admitted.put(one.job().id(), one));
        admission.considered().forEach(one -> considered.put(one.job().id(), one));
        this.values = admission.certificate().isPresent();
        this.byEnd = places.all().values().stream()
                .filter(place -> place.job().endIsKnown())
                .sorted(Comparator.comparingDouble(
                        (Places.Place place) -> place.job().secondsLeft(place.size())))
                .toList();
        this.byDensity = admission.jobs().stream()
                .filter(one -> places.has(one.job()))
                .sorted(Comparator.comparingDouble(one -> one.density(pool)))
                .toList();
        ResourceVector used = places.all().values().stream()
                .map(place -> place.job().use(place.size()))
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
        this.free = pool.capacity().minus(used).max(ResourceVector.ZERO);
    }

    Reason has(Places.Place place) {
        PsJob job = place.job();
        PsSize size = place.size();
        if (job.probe().equals(Optional.of(size))) {
            return new Reason.Probed(size.text());
        }
        if (job.isMeasuredNext(pool.rescaleSeconds())) {
            return new Reason.Unmeasured(
                    size.text(), job.probe().map(PsSize::text).orElseThrow());
        }
        Optional<PsSize> held = job.held().filter(before -> !before.equals(size) && job.scales());
        if (fillUp.isPresent() && held.isPresent() && job.use(size).fitsIn(job.use(held.get()))) {
            return new Reason.Shrinks(held.get().text(), size.text(), end(place));
        }
        Sized sized = admitted.get(job.id());
        String text = job.hasServers() ? size.text() : job.use(size).describe();
        return values
                ? new Reason.Admitted(text, end(place), sized == null ? Double.NaN : sized.worth())
                : new Reason.Sized(text, end(place));
    }

    private Reason.End end(Places.Place place) {
        PsJob job = place.job();
        if (!job.endIsKnown()) {
            return Reason.End.UNKNOWN;
        }
        double left = job.secondsLeft(place.size());
        Optional<PsSize> more = fillUp.flatMap(rest -> rest.missed(place));
        return more.map(size -> new Reason.End(
                        OptionalLong.of(Math.round(left)),
                        more(place.size(), size),
                        Math.round(left - job.secondsLeft(size))))
                .orElse(Reason.End.in(Math.round(left)));
    }

    private static String more(PsSize has, PsSize size) {
        return size.workers() == has.workers()
                ? "1 server more"
                : size.servers() == has.servers() ? "1 worker more" : "1 worker and 1 server more";
    }

    /** Asked job by job, in order of submission. */
    Reason waits(PsJob job) {
        ResourceVector needed = job.use(job.least());
        Optional<Reason> never = neverFits(job, needed);
        if (never.isPresent()) {
            return never.get();
        }
        if (!needed.fitsIn(pool.capacity())) {
            ResourceVector lacking = needed.minus(pool.capacity());
            return new Reason.HeldByOthers(
                    needed.where(lacking).describe(),
                    pool.capacity().where(lacking).describe(),
                    pool.queue());
        }
        ahead = ahead.plus(needed);
        if (!pool.couldHold(job) || (fillUp.isPresent() && needed.fitsIn(free))) {
            return new Reason.Scattered(needed.describe(), free.describe());
        }
        Sized sized = considered.get(job.id());
        if (!values || sized == null) {
            return new Reason.Queued(needed.describe(), free.describe(), roomInSeconds());
        }
        List<Sized> displaced = displaced(sized.use());
        return new Reason.NotAdmitted(
                sized.worth(),
                displaced.stream().mapToDouble(Sized::worth).sum(),
                sized.profit(),
                displaced.stream().mapToDouble(Sized::profit).sum(),
                roomInSeconds());
    }

    /** What it needs is not there even if nobody else is. */
    private Optional<Reason> neverFits(PsJob job, ResourceVector needed) {
        if (!needed.fitsIn(job.cap())) {
            return Optional.of(tooMuch(needed, job.cap(), Reason.NeverFits.Bound.CAP));
        }
        ResourceVector largest = pool.empty().stream().reduce(ResourceVector.ZERO, ResourceVector::max);
        Optional<ResourceVector> task = job.job().groups().stream()
                .filter(group -> group.min() > 0 && !group.ask().fitsIn(largest))
                .map(TaskGroup::ask)
                .findFirst();
        if (task.isPresent()) {
            return Optional.of(tooMuch(task.get(), largest, Reason.NeverFits.Bound.NODE));
        }
        ResourceVector all = pool.empty().stream().reduce(ResourceVector.ZERO, ResourceVector::plus);
        return needed.fitsIn(all) ? Optional.empty() : Optional.of(tooMuch(needed, all, Reason.NeverFits.Bound.NODES));
    }

    private static Reason tooMuch(ResourceVector needed, ResourceVector most, Reason.NeverFits.Bound what) {
        ResourceVector lacking = needed.minus(most);
        return new Reason.NeverFits(
                needed.where(lacking).describe(), most.where(lacking).describe(), what);
    }

    /** Those that bring least for what they take, until there is room. */
    private List<Sized> displaced(ResourceVector needed) {
        ResourceVector room = free;
        List<Sized> displaced = new ArrayList<>();
        for (Sized one : byDensity) {
            if (needed.fitsIn(room)) {
                break;
            }
            room = room.plus(one.use());
            displaced.add(one);
        }
        return displaced;
    }

    /** When there is room for it and all that wait longer, if nothing else comes. */
    private OptionalLong roomInSeconds() {
        ResourceVector room = free;
        for (Places.Place place : byEnd) {
            room = room.plus(place.job().use(place.size()));
            if (ahead.fitsIn(room)) {
                return OptionalLong.of(Math.round(place.job().secondsLeft(place.size())));
            }
        }
        return OptionalLong.empty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.explain.Reason;
import io.treadle.core.resource.ResourceVector;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Why jobs have the sizes that they have, or wait, with numbers. */
final class Explained {
    private final Pool pool;
    private final Map<String, Sized> admitted = new HashMap<>();
    private final Map<String, Sized> considered = new HashMap<>();
    /** Whether the rule looks at what ends are worth. */
    private final boolean values;

    private final List<Places.Place> byEnd;
    private final List<Sized> byDensity;
    private final ResourceVector free;
    /** What jobs need that wait longer than the one that is looked at. */
    private ResourceVector ahead = ResourceVector.ZERO;

    Explained(Pool pool, Admission admission, Places places) {
        this.pool = pool;
        admission.jobs().forEach(one -> admitted.put(one.job().id(), one));
        admission.considered().forEach(one -> considered.put(one.job().id(), one));
        this.values = admission.certificate().isPresent();
        this.byEnd = places.all().values().stream()
                .sorted(Comparator.comparingDouble(
                        (Places.Place place) -> place.job().secondsLeft(place.size())))
                .toList();
        this.byDensity = admission.jobs().stream()
                .filter(one -> places.has(one.job()))
                .sorted(Comparator.comparingDouble(one -> one.density(pool)))
                .toList();
        ResourceVector used = byEnd.stream()
                .map(place -> place.job().use(place.size()))
                .reduce(ResourceVector.ZERO, ResourceVector::plus);
        this.free = pool.capacity().minus(used);
    }

    Reason has(Places.Place place) {
        if (place.job().probe().equals(Optional.of(place.size()))) {
            return new Reason.Probed(place.size().text());
        }
        Sized sized = admitted.get(place.job().id());
        String size = place.job().scales()
                ? place.size().text()
                : place.job().use(place.size()).describe();
        long left = Math.round(place.job().secondsLeft(place.size()));
        return values
                ? new Reason.Admitted(size, left, sized == null ? Double.NaN : sized.worth())
                : new Reason.Sized(size, left);
    }

    /** Asked job by job, in order of submission. */
    Reason waits(PsJob job) {
        ResourceVector needed = job.use(job.least());
        if (!pool.mayRun(job)) {
            return new Reason.NeverFits(
                    needed.describe(), pool.capacity().min(job.cap()).describe(), pool.couldHold(job));
        }
        ahead = ahead.plus(needed);
        Sized sized = considered.get(job.id());
        return values && sized != null
                ? new Reason.NotAdmitted(sized.worth(), displaced(needed), roomInSeconds())
                : new Reason.Queued(
                        needed.describe(), free.max(ResourceVector.ZERO).describe(), roomInSeconds());
    }

    /** What those are worth that bring least for what they take, until there is room. */
    private double displaced(ResourceVector needed) {
        ResourceVector room = free;
        double worth = 0;
        for (Sized one : byDensity) {
            if (needed.fitsIn(room)) {
                break;
            }
            room = room.plus(one.use());
            worth += one.worth();
        }
        return worth;
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

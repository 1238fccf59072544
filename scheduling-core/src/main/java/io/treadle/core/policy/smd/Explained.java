// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.explain.Reason;
import io.treadle.core.resource.ResourceVector;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Why jobs have the sizes that they have, or wait, with numbers. */
final class Explained {
    private final Pool pool;
    private final Map<String, Sized> admitted = new HashMap<>();
    private final List<Places.Place> byEnd;
    private final List<Sized> byDensity;
    private final ResourceVector free;

    Explained(Pool pool, Admission admission, Places places) {
        this.pool = pool;
        admission.jobs().forEach(one -> admitted.put(one.job().id(), one));
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
        Sized sized = admitted.get(place.job().id());
        double worth = sized == null ? Double.NaN : sized.worth();
        String size = place.job().scales()
                ? place.size().text()
                : place.job().use(place.size()).describe();
        return new Reason.Admitted(size, Math.round(place.job().secondsLeft(place.size())), worth);
    }

    Reason waits(PsJob job) {
        ResourceVector needed = job.use(job.least());
        if (!needed.fitsIn(pool.capacity()) || !needed.fitsIn(job.cap())) {
            ResourceVector most = pool.capacity().min(job.cap());
            return new Reason.NeverFits(needed.describe(), most.describe());
        }
        return new Reason.NotAdmitted(worth(job), displaced(needed), admittedInSeconds(needed));
    }

    private double worth(PsJob job) {
        Sized sized = admitted.get(job.id());
        return sized == null ? new Worth(job, job.least()).at(job.least()) : sized.worth();
    }

    /** What those are worth that are worth least for what they take, until there is room. */
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

    private OptionalLong admittedInSeconds(ResourceVector needed) {
        ResourceVector room = free;
        for (Places.Place place : byEnd) {
            room = room.plus(place.job().use(place.size()));
            if (needed.fitsIn(room)) {
                return OptionalLong.of(Math.round(place.job().secondsLeft(place.size())));
            }
        }
        return OptionalLong.empty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.model.ps.PsSize;
import io.treadle.core.resource.ResourceVector;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What those that were admitted leave goes to the others, the oldest first, each with what it needs at least; then to those
 * that are to be measured at another size; what is then left to whoever saves most time by it, for the part of the pool that
 * it takes.
 */
final class FillUp {
    private final Pool pool;
    private final Places places;
    private final ResourceVector limit;

    private record Step(PsJob job, PsSize to, double gain) {}

    /** @param limit what sizes may be at most in all */
    FillUp(Pool pool, Places places, ResourceVector limit) {
        this.pool = pool;
        this.places = places;
        this.limit = limit;
    }

    /** @param late goes first */
    void start(Optional<PsJob> late) {
        late.ifPresent(this::start);
        pool.jobs().forEach(this::start);
        // What grew before into room that nobody needs keeps it: to give it back and take it again costs time.
        places.restore(pool.rescaleSeconds());
    }

    void grow() {
        PriorityQueue<Step> steps = new PriorityQueue<>(Comparator.comparingDouble((Step step) -> -step.gain()));
        for (Places.Place place : places.all().values()) {
            best(place).ifPresent(steps::add);
        }
        Set<String> stuck = new HashSet<>();
        while (!steps.isEmpty()) {
            Step step = steps.remove();
            if (!stuck.contains(step.job().id())) {
                if (places.grow(step.job(), step.to())) {
                    best(step.job(), step.to(), 0, step.job().cap().min(limit)).ifPresent(steps::add);
                } else {
                    stuck.add(step.job().id());
                }
            }
        }
    }

    /** The next size of a job that would grow, were there room. */
    Optional<PsSize> missed(Places.Place place) {
        PsJob job = place.job();
        return job.runs() && place.isUnchanged()
                ? best(job, place.size(), 2 * pool.rescaleSeconds(), job.cap()).map(Step::to)
                : Optional.empty();
    }

    /** A job that goes on as it is must gain more than the change costs. */
    private Optional<Step> best(Places.Place place) {
        double least = place.job().runs() && place.isUnchanged() ? 2 * pool.rescaleSeconds() : 0;
        return best(place.job(), place.size(), least, place.job().cap().min(limit));
    }

    private void start(PsJob job) {
        if (!places.has(job)
                && job.use(job.least()).fitsIn(job.cap())
                && !places.start(job, job.least())
                && !job.smallest().equals(job.least())) {
            places.start(job, job.smallest());
        }
    }

    /**
     * @param least seconds that must be saved
     * @param most what it may hold at most
     */
    private Optional<Step> best(PsJob job, PsSize from, double least, ResourceVector most) {
        @Nullable Step best = null;
        for (int[] more : new int[][] {{1, 0}, {0, 1}, {1, 1}}) {
            int workers = from.workers() + more[0];
            int servers = from.servers() + more[1];
            if (workers <= job.most().workers() && servers <= job.most().servers()) {
                PsSize to = new PsSize(workers, servers);
                double saved = job.secondsLeft(from) - job.secondsLeft(to);
                double gain = saved / pool.share(job.use(to).minus(job.use(from)));
                if (saved > least && job.use(to).fitsIn(most) && (best == null || gain > best.gain())) {
                    best = new Step(job, to, gain);
                }
            }
        }
        return Optional.ofNullable(best);
    }
}

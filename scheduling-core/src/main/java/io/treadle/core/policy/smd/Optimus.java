// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.model.ps.PsSize;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Optimus (Peng et al., EuroSys 2018): every job gets what it needs at least, then whoever saves most time by one more worker
 * or server, for the part of the pool that it takes, gets it, while one fits. Also by one more of both, without which
 * it sticks where workers' and servers' networks are equally full; and by parts of the pool in place of amounts.
 */
final class Optimus implements Chooser {
    private record Step(PsJob job, PsSize from, PsSize to, double gain) {}

    @Override
    public Admission choose(Pool pool) {
        Map<String, Sized> sizes = new LinkedHashMap<>();
        ResourceVector left = pool.capacity();
        for (PsJob job : pool.jobs()) {
            ResourceVector use = job.use(job.least());
            if (use.fitsIn(left) && use.fitsIn(job.cap())) {
                left = left.minus(use);
                sizes.put(job.id(), new Sized(job, job.least()));
            }
        }
        PriorityQueue<Step> steps = new PriorityQueue<>(Comparator.comparingDouble((Step step) -> -step.gain()));
        for (Sized one : sizes.values()) {
            best(one.job(), one.size(), pool, left).ifPresent(steps::add);
        }
        while (!steps.isEmpty()) {
            Step step = steps.remove();
            ResourceVector more = step.job().use(step.to()).minus(step.job().use(step.from()));
            boolean fits = more.fitsIn(left);
            if (fits) {
                left = left.minus(more);
                sizes.put(step.job().id(), new Sized(step.job(), step.to()));
            }
            best(step.job(), fits ? step.to() : step.from(), pool, left).ifPresent(steps::add);
        }
        // Small jobs find their places first, as there.
        List<Sized> admitted = new ArrayList<>(sizes.values());
        admitted.sort(
                Comparator.comparingInt(one -> one.size().workers() + one.size().servers()));
        return new Admission(admitted);
    }

    private static Optional<Step> best(PsJob job, PsSize from, Pool pool, ResourceVector left) {
        @Nullable Step best = null;
        for (int[] step : new int[][] {{1, 0}, {0, 1}, {1, 1}}) {
            int workers = from.workers() + step[0];
            int servers = from.servers() + step[1];
            if (workers <= job.most().workers() && servers <= job.most().servers()) {
                PsSize to = new PsSize(workers, servers);
                double saved = job.secondsLeft(from) - job.secondsLeft(to);
                ResourceVector use = job.use(to);
                ResourceVector more = use.minus(job.use(from));
                double gain = saved / pool.share(more);
                if (saved > 0 && use.fitsIn(job.cap()) && more.fitsIn(left) && (best == null || gain > best.gain())) {
                    best = new Step(job, from, to, gain);
                }
            }
        }
        return Optional.ofNullable(best);
    }
}

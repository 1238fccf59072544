// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The job's time is a sum of ratios such as 1/w and w/p, which is not convex; with w/p held it is, in w. So a grid of w/p is
 * gone through in steps of {@code 1 + ε}, the best w of each is found by golden sections, and the best few are rounded. The
 * continuous time is within {@code 1 + ε} of the best, since with a ratio just below the best one's all parts but those with
 * 1/w stay as small, and those grow by {@code 1 + ε} at most. After rounding the size goes to better neighbours until there is
 * none, and in the end {@link Counts} of servers are looked at with the workers that go best with each.
 */
final class SumOfRatios implements Sizer {
    private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;
    private static final int SECTIONS = 40;
    private static final int ROUNDED = 8;
    private static final int NEIGHBOURS = 2;
    /** Jobs whose sizes are remembered: what they have done does not change them. */
    private static final int REMEMBERED = 50_000;

    private final double epsilon;
    private final Cache<PsJob.SizeKey, Optional<PsSize>> known =
            CacheBuilder.newBuilder().maximumSize(REMEMBERED).build();

    SumOfRatios(double epsilon) {
        this.epsilon = epsilon;
    }

    private record Point(double rate, double workers, double servers) {}

    @Override
    public Optional<PsSize> size(PsJob job, ResourceVector limit) {
        return known.asMap().computeIfAbsent(job.key(limit), key -> find(job, limit));
    }

    private Optional<PsSize> find(PsJob job, ResourceVector limit) {
        if (!job.use(job.least()).fitsIn(limit)) {
            return Optional.empty();
        }
        List<Point> points = points(job, limit);
        points.sort(Comparator.comparingDouble(point -> -point.rate()));
        // A tight limit may let nothing in but the least, which need not lie near the grid.
        PsSize best = job.least();
        for (Point point : points.subList(0, Math.min(ROUNDED, points.size()))) {
            for (double workers : new double[] {Math.floor(point.workers()), Math.ceil(point.workers())}) {
                for (double servers : new double[] {Math.floor(point.servers()), Math.ceil(point.servers())}) {
                    best = better(job, limit, best, (int) workers, (int) servers);
                }
            }
        }
        return Optional.of(byServers(job, limit, descend(job, limit, best)));
    }

    /** With the servers held the time is convex in whole workers too: the best of each number of servers. */
    private static PsSize byServers(PsJob job, ResourceVector limit, PsSize found) {
        PsSize best = found;
        for (int servers : Counts.between(job.least().servers(), job.most().servers())) {
            if (!job.use(job.least().workers(), servers).fitsIn(limit)) {
                break;
            }
            int low = job.least().workers();
            int high = job.most().workers();
            while (low < high) {
                int middle = (low + high) / 2;
                boolean rises = job.use(middle + 1, servers).fitsIn(limit)
                        && job.rate(middle + 1, servers) > job.rate(middle, servers);
                low = rises ? middle + 1 : low;
                high = rises ? high : middle;
            }
            best = better(job, limit, best, low, servers);
        }
        return best;
    }

    /** The least time, between whole numbers of workers and servers, as the whole job's samples a second. */
    OptionalDouble continuousRate(PsJob job, ResourceVector limit) {
        return points(job, limit).stream().mapToDouble(Point::rate).max();
    }

    private List<Point> points(PsJob job, ResourceVector limit) {
        double[] worker = Shares.amounts(job.worker());
        double[] server = Shares.amounts(job.server());
        double[] room = Shares.amounts(limit.minus(job.others()));
        List<Point> points = new ArrayList<>();
        double last = (double) job.most().workers() / job.least().servers() * (1 + epsilon);
        for (double ratio = (double) job.least().workers() / job.most().servers();
                ratio <= last;
                ratio *= 1 + epsilon) {
            double most = Math.min(job.most().workers(), job.most().servers() * ratio);
            for (int i = 0; i < room.length; i++) {
                double each = worker[i] + server[i] / ratio;
                most = each > 0 ? Math.min(most, room[i] / each) : most;
            }
            double least = Math.max(job.least().workers(), job.least().servers() * ratio);
            if (least <= most) {
                double workers = fastest(job, ratio, least, most);
                points.add(new Point(job.rate(workers, workers / ratio), workers, workers / ratio));
            }
        }
        return points;
    }

    /** By golden sections: with the ratio held the rate has one peak. */
    private static double fastest(PsJob job, double ratio, double least, double most) {
        // Mostly more is better.
        if (job.rate(most, most / ratio) >= job.rate(most * (1 - 1e-6), most * (1 - 1e-6) / ratio)) {
            return most;
        }
        double from = least;
        double to = most;
        double a = to - GOLDEN * (to - from);
        double b = from + GOLDEN * (to - from);
        double atA = job.rate(a, a / ratio);
        double atB = job.rate(b, b / ratio);
        for (int i = 0; i < SECTIONS; i++) {
            if (atA >= atB) {
                to = b;
                b = a;
                atB = atA;
                a = to - GOLDEN * (to - from);
                atA = job.rate(a, a / ratio);
            } else {
                from = a;
                a = b;
                atA = atB;
                b = from + GOLDEN * (to - from);
                atB = job.rate(b, b / ratio);
            }
        }
        return (from + to) / 2;
    }

    private static PsSize descend(PsJob job, ResourceVector limit, PsSize start) {
        PsSize best = start;
        boolean improves = true;
        while (improves) {
            PsSize from = best;
            for (int workers = -NEIGHBOURS; workers <= NEIGHBOURS; workers++) {
                for (int servers = -NEIGHBOURS; servers <= NEIGHBOURS; servers++) {
                    best = better(job, limit, best, from.workers() + workers, from.servers() + servers);
                }
            }
            improves = !best.equals(from);
        }
        return best;
    }

    private static PsSize better(PsJob job, ResourceVector limit, PsSize best, int workers, int servers) {
        boolean isMeant = workers >= job.least().workers()
                && workers <= job.most().workers()
                && servers >= job.least().servers()
                && servers <= job.most().servers();
        return isMeant
                        && job.rate(workers, servers) > job.rate(best.workers(), best.servers())
                        && job.use(workers, servers).fitsIn(limit)
                ? new PsSize(workers, servers)
                : best;
    }
}

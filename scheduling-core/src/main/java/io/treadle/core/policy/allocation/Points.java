// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The sizes between which it is chosen for a task: points of its profile, its share, the least and the most for it. */
final class Points {
    /** More vcores than that are not tried one by one. */
    private static final long MOST_VCORES = 64;

    private final Sizes sizes;
    private final Map<Question, List<Point>> known = new HashMap<>();

    Points(Sizes sizes) {
        this.sizes = sizes;
    }

    /** A size, and how fast the job's profile says that a task of it is. */
    record Point(ResourceVector size, double speed) {
        boolean isAsGoodAs(Point other) {
            return speed >= other.speed && size.fitsIn(other.size);
        }
    }

    /** @param shares of a task, on nodes of each kind */
    private record Question(
            SensitivityMatrix profile,
            List<TaskGroup> groups,
            List<ResourceVector> shares,
            ResourceVector least,
            ResourceVector most,
            boolean everyVcore) {}

    /**
     * Those of which none is as fast as another and takes more.
     *
     * @param nodes of each kind on which tasks may be, by the first of which speeds are told
     * @param least comes first; others have as much of all, or are at least as fast as a task at its share
     * @param everyVcore whether also those between the points of the profile, as far as they are not too many
     */
    List<Point> of(
            JobView job,
            TaskGroup group,
            List<NodeView> nodes,
            ResourceVector least,
            ResourceVector most,
            boolean everyVcore) {
        List<ResourceVector> shares = new ArrayList<>(nodes.size());
        nodes.forEach(node -> shares.add(sizes.share(job, group, node)));
        Question question = new Question(job.profile().orElseThrow(), job.groups(), shares, least, most, everyVcore);
        List<Point> points = known.get(question);
        if (points == null) {
            points = find(job, nodes.get(0), question);
            known.put(question, points);
        }
        return points;
    }

    private List<Point> find(JobView job, NodeView node, Question question) {
        SensitivityMatrix profile = question.profile();
        Point least = new Point(question.least(), sizes.speed(job, node, question.least()));
        double atShare = Double.MAX_VALUE;
        TreeSet<Long> vcores =
                new TreeSet<>(List.of(question.least().vcores(), question.most().vcores()));
        TreeSet<Long> memory = new TreeSet<>(
                List.of(question.least().memoryMiB(), question.most().memoryMiB()));
        for (ResourceVector share : question.shares()) {
            vcores.add(share.vcores());
            memory.add(share.memoryMiB());
            atShare = Math.min(atShare, sizes.speed(job, node, share));
        }
        add(vcores, profile.vcores());
        long from = question.least().vcores();
        for (long one = from;
                question.everyVcore() && one <= Math.min(question.most().vcores(), from + MOST_VCORES);
                one++) {
            vcores.add(one);
        }
        if (question.least().memoryMiB() < question.most().memoryMiB()) {
            add(memory, profile.memoryMiB());
        }
        ResourceVector top = question.shares().stream().reduce(question.most(), ResourceVector::max);
        List<Point> all = new ArrayList<>();
        for (long c : vcores.headSet(top.vcores(), true)) {
            for (long m : memory.headSet(top.memoryMiB(), true)) {
                for (long s : storage(question, c, m)) {
                    ResourceVector size =
                            question.least().withVcores(c).withMemoryMiB(m).withStorageMBps(s);
                    double speed = sizes.speed(job, node, size);
                    if (question.least().fitsIn(size) || speed >= atShare) {
                        all.add(new Point(size, speed));
                    }
                }
            }
        }
        return undominated(least, all);
    }

    private static void add(Set<Long> to, long[] points) {
        Arrays.stream(points).forEach(to::add);
    }

    private long[] storage(Question question, long vcores, long memoryMiB) {
        long least = question.least().storageMBps();
        if (question.most().storageMBps() <= least) {
            return new long[] {least};
        }
        long needed = (long) Math.ceil(question.profile().storageMBps(vcores, memoryMiB));
        return new long[] {
            least, Math.max(least, Math.min(needed, sizes.largestTask().storageMBps()))
        };
    }

    /** The least first, then by falling speed. */
    private static List<Point> undominated(Point least, List<Point> all) {
        all.sort(Comparator.comparingDouble(Point::speed)
                .reversed()
                .thenComparingLong(point -> point.size().vcores())
                .thenComparingLong(point -> point.size().memoryMiB())
                .thenComparingLong(point -> point.size().storageMBps()));
        List<Point> kept = new ArrayList<>();
        kept.add(least);
        for (Point point : all) {
            // Those before it are as fast or faster.
            boolean isNew = !least.isAsGoodAs(point);
            for (int i = 1; i < kept.size() && isNew; i++) {
                isNew = !kept.get(i).size().fitsIn(point.size());
            }
            if (isNew) {
                kept.add(point);
            }
        }
        return List.copyOf(kept);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.JobView;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.model.SensitivityMatrix;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** One job on its way from its least size to what it can use: the step that is best for it now. */
final class SpeedUp {
    private final Grant grant;
    private final GainRules rules;
    private final Sizes sizes;
    private final SensitivityMatrix profile;
    private final TaskGroup group;
    private final Spread spread;
    /** The node of its first task, whose kind stands for all. */
    private final NodeView node;

    private final ResourceVector least;
    /** What it can use. */
    private final ResourceVector most;
    /** Between that and this there are other ways to be as fast. */
    private final ResourceVector reach;
    /** What it holds while this is decided. */
    private final ResourceVector had;

    private final double speedAtLeast;
    private final double speedAtShare;

    private double price;
    private ResourceVector size;
    private double speed;
    private ResourceVector next;
    private double nextSpeed;
    private double worth;

    private SpeedUp(Round round, Grant grant, TaskGroup group, List<Grant.Task> tasks, GainRules rules) {
        this.rules = rules;
        this.grant = grant;
        this.sizes = round.sizes();
        this.profile = grant.job().profile().orElseThrow();
        this.group = group;
        this.spread = new Spread(grant.job().id(), tasks);
        this.node = round.ledger().node(tasks.get(0).node());
        ResourceVector smallest = tasks.get(0).size();
        for (Grant.Task task : tasks) {
            smallest = smallest.min(task.size());
        }
        this.least = smallest;
        this.most = sizes.useful(grant.job(), group, node).max(least);
        this.reach = sizes.reach(grant.job(), group, node).max(most);
        this.had = held(grant, group);
        this.speedAtLeast = sizes.speed(grant.job(), node, least);
        this.speedAtShare = sizes.speed(grant.job(), node, sizes.share(grant.job(), group, node));
        this.size = least;
        this.speed = speedAtLeast;
        this.next = least;
        this.nextSpeed = speedAtLeast;
    }

    /** Empty where nothing is known of what more would bring, or where it would bring nothing. */
    static Optional<SpeedUp> of(Round round, Grant grant, GainRules rules) {
        for (TaskGroup group : grant.job().groups()) {
            if (!Sizes.isProfiled(grant.job(), group)) {
                continue;
            }
            List<Grant.Task> tasks = new ArrayList<>(grant.tasks().size());
            for (Grant.Task task : grant.tasks()) {
                if (task.isOf(group)) {
                    tasks.add(task);
                }
            }
            if (!tasks.isEmpty()) {
                SpeedUp job = new SpeedUp(round, grant, group, tasks, rules);
                return job.speedAtShare > 0 && job.nextSpeed < job.profile.best() && !job.most.equals(job.least)
                        ? Optional.of(job)
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static ResourceVector held(Grant grant, TaskGroup group) {
        ResourceVector held = ResourceVector.ZERO;
        for (RunningTask task : grant.job().tasks()) {
            if (task.group().equals(group.name())) {
                held = held.isZero() ? task.size() : held.min(task.size());
            }
        }
        return held;
    }

    Spread spread() {
        return spread;
    }

    /** How much more than its least each task could use. */
    ResourceVector toDemand() {
        return most.minus(least);
    }

    void takeDemand() {
        size = most;
    }

    /** How much more than its least each task was given. */
    ResourceVector taken() {
        return size.minus(least);
    }

    /**
     * Back to the least size.
     *
     * @param newPrice of memory and storage bandwidth beside CPU
     */
    void begin(double newPrice) {
        price(newPrice);
        size = least;
        speed = speedAtLeast;
    }

    /** @param newPrice of memory and storage bandwidth beside CPU */
    void price(double newPrice) {
        price = newPrice;
    }

    /** Speed, as a multiple of that at the share, times GPUs that the best step would bring, for what it takes. */
    double worth() {
        return worth;
    }

    /** What the best step brings, in GPUs at the speed of their share. */
    double gain() {
        return (nextSpeed - speed) / speedAtShare * spread.tasks() * group.ask().gpus();
    }

    /** What the best step takes more for each task. */
    ResourceVector step() {
        return next.minus(size);
    }

    void takeStep() {
        size = next;
        speed = nextSpeed;
    }

    /** Finds the best step that fits; false where none does. */
    boolean look(Leftovers left) {
        worth = 0;
        ResourceVector now = size.plus(left.room(spread)).min(reach).max(size);
        for (long memory : points(profile.memoryMiB(), size.memoryMiB(), now.memoryMiB())) {
            for (long vcores : points(profile.vcores(), size.vcores(), now.vcores())) {
                consider(vcores, memory, now.storageMBps());
            }
        }
        return worth > 0;
    }

    private void consider(long vcores, long memory, long mostStorage) {
        long storage = Math.max(
                size.storageMBps(), Math.min(mostStorage, (long) Math.ceil(profile.storageMBps(vcores, memory))));
        ResourceVector at = size.withVcores(vcores).withMemoryMiB(memory).withStorageMBps(storage);
        double atSpeed = sizes.speed(grant.job(), node, at);
        if (atSpeed <= speed) {
            return;
        }
        double here = (atSpeed - speed) / speedAtShare / cost(at.minus(size));
        if (rules.has(Part.HYSTERESIS) && at.fitsIn(had)) {
            here *= 1 + MarginalGains.HYSTERESIS;
        }
        // Of steps that are worth as much, the largest: all of it will be taken anyway.
        if (here > worth || (here == worth && atSpeed > nextSpeed)) {
            worth = here;
            next = at;
            nextSpeed = atSpeed;
        }
    }

    /** Of more, for each GPU of a task, in shares of the node. */
    private double cost(ResourceVector more) {
        ResourceVector all = node.available();
        double cost = part(more.vcores(), all.vcores())
                + price * (part(more.memoryMiB(), all.memoryMiB()) + part(more.storageMBps(), all.storageMBps()));
        return cost / group.ask().gpus();
    }

    private static double part(long amount, long of) {
        return of == 0 ? 0 : (double) amount / of;
    }

    /** Those between, and both ends: the last is as far as one can go, wherever the next point lies. */
    private long[] points(long[] all, long from, long to) {
        long[] points = new long[all.length + 2];
        int count = 0;
        points[count++] = from;
        for (long point : all) {
            if (point > from && point < to) {
                points[count++] = point;
            }
        }
        if (to > from && (rules.has(Part.BETWEEN_POINTS) || Arrays.binarySearch(all, to) >= 0)) {
            points[count++] = to;
        }
        return Arrays.copyOf(points, count);
    }

    JobView job() {
        return grant.job();
    }

    /** Of all tasks that are sized alike. */
    long gpus() {
        return spread.tasks() * group.ask().gpus();
    }

    ResourceVector least() {
        return least;
    }

    ResourceVector had() {
        return had;
    }

    /** The sizes between which it may be chosen for it, its least first. */
    List<Points.Point> points(boolean everyVcore) {
        return sizes.points().of(job(), group, List.of(node), least, reach, everyVcore).stream()
                .filter(point -> least.fitsIn(point.size()))
                .toList();
    }

    /** How much faster than with the least, as a multiple of the speed at the share. */
    double gainAt(Points.Point point) {
        return (point.speed() - speedAtLeast) / speedAtShare;
    }

    void take(Points.Point point) {
        size = point.size();
        speed = point.speed();
    }

    private boolean hasAll() {
        return most.fitsIn(size) || (!reach.equals(most) && sizes.speed(grant.job(), node, size) >= profile.best());
    }

    /** Gives the job what it has come to. */
    void grant(Round round) {
        Grant.Level level = hasAll()
                ? Grant.Level.DEMAND
                : sizes.speed(grant.job(), node, size) > speedAtShare ? Grant.Level.BETWEEN : Grant.Level.SHARE;
        round.resize(grant, group, size, level);
    }
}
